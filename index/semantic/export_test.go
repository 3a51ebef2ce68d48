package semantic

// Pieces are the word pieces of a phrase.
func (t *Table) Pieces(phrase string) []string {
	names := t.pieces.Names()
	var out []string
	for _, id := range t.appendPhrase(nil, phrase) {
		out = append(out, names[id])
	}
	return out
}
