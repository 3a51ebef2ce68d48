package frame

// ParseTag returns a mark without words from a kind and attributes, as [Mark.Tag] writes them.
func ParseTag(tag string) (m Mark, err error) {
	err = m.parseTag(tag)
	return m, err
}
