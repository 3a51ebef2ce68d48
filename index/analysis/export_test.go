package analysis

// NameKey is the term of a whole name.
func NameKey(name string) string { return nameKey(NameTokens(name)) }
