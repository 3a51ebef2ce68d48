package analysis

// NameKey is the term of a whole name.
func NameKey(name string) string { return nameKey(NameTokens(name)) }

// NameForms returns the forms of a name.
func NameForms(name string) []string { return nameForms(name, NameTokens(name)) }
