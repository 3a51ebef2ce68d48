package query

// AllOf returns the conjunction of parts; one part stays as it is.
func AllOf(parts ...Query) Query {
	if len(parts) == 1 {
		return parts[0]
	}
	return And{Parts: parts}
}

// OneOf matches the documents with one of the values in a field.
func OneOf(f Field, values []string) Query {
	if len(values) == 1 {
		return Term{Field: f, Value: values[0]}
	}
	return Terms{Field: f, Values: values}
}

// AnyOf returns the disjunction of parts; one part stays as it is.
func AnyOf(parts ...Query) Query {
	if len(parts) == 1 {
		return parts[0]
	}
	return Or{Parts: parts}
}
