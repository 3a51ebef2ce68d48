package frame

// ParseTag returns a mark without words from a kind and attributes, as [Mark.Tag] writes them. Errors are of type
// [*Error].
func ParseTag(tag string) (Mark, error) {
	var m Mark
	if err := m.parseTag(tag, 0); err != nil {
		return Mark{}, err
	}
	return m, nil
}
