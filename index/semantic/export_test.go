package semantic

// Pieces are the word pieces of a phrase.
func (t *Table) Pieces(phrase string) []string {
	names := make(map[int]string, len(t.ids))
	for name, id := range t.ids {
		names[id] = name
	}
	var out []string
	for _, id := range t.appendPhrase(nil, phrase) {
		out = append(out, names[id])
	}
	return out
}
