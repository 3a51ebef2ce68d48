package openapi

// Filters returns the descriptions of the filters of a search by name, and how their values are written.
func (d Document) Filters() (about map[string]string, values string) {
	about = map[string]string{}
	schema := member(member(member(d.root, "components"), "schemas"), "Filters")
	properties := member(schema, "properties")
	for i := 0; i+1 < len(properties.Content); i += 2 {
		about[properties.Content[i].Value] = oneLine(text(properties.Content[i+1], "description"))
	}
	return about, oneLine(text(schema, "description"))
}
