package taxonomy

import "slices"

// SeniorityNamed reads the name of a level: its words, joined by "_".
func SeniorityNamed(name string) (string, bool) {
	return named(name, Seniorities(), wordForms().levelNames)
}

// FunctionNamed reads the name of a function: its words, joined by "_".
func FunctionNamed(name string) (string, bool) {
	return named(name, Functions(), wordForms().functionNames)
}

// named reads one of some values, by its own or another name.
func named(name string, values []string, others map[string]string) (string, bool) {
	if slices.Contains(values, name) {
		return name, true
	}
	value, ok := others[name]
	return value, ok
}
