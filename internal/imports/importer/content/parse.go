package content

import "strings"

// parse reads one content line: group.NAME;PARAM=value;BARE:value.
func parse(line string) (p Property, ok bool) {
	n := strings.IndexAny(line, ";:")
	if n < 1 {
		return Property{}, false
	}
	name := line[:n]
	name = name[strings.LastIndexByte(name, '.')+1:] // without its group
	p.Name = strings.ToUpper(strings.TrimSpace(name))
	rest := line[n:]
	for strings.HasPrefix(rest, ";") {
		end := endOfParam(rest[1:])
		if end < 0 {
			return Property{}, false
		}
		p.Params = append(p.Params, param(rest[1:1+end]))
		rest = rest[1+end:]
	}
	p.Value = strings.TrimPrefix(rest, ":")
	return p, p.Name != ""
}

// endOfParam returns the position of the delimiter after a parameter. It ignores delimiters in quotation marks.
func endOfParam(s string) int {
	quoted := false
	for i := range len(s) {
		switch s[i] {
		case '"':
			quoted = !quoted
		case ';', ':':
			if !quoted {
				return i
			}
		}
	}
	if quoted { // unclosed quotation mark
		return strings.IndexAny(s, ";:")
	}
	return -1
}

// param parses a parameter. In vCard 2.1 it may have no name.
func param(s string) Param {
	name, value, named := strings.Cut(s, "=")
	if !named {
		name, value = "TYPE", s
		switch strings.ToUpper(s) {
		case "QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT":
			name = "ENCODING"
		}
	}
	value = strings.ReplaceAll(value, `"`, "")
	return Param{
		strings.ToUpper(strings.TrimSpace(name)),
		strings.NewReplacer("^n", "\n", "^'", `"`, "^^", "^").Replace(value),
	}
}

// Fields returns the parts of a structured value, such as a name, as text.
func Fields(value string) []string {
	var fields []string
	start := 0
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '\\':
			i++
		case ';':
			fields = append(fields, Text(value[start:i]))
			start = i + 1
		}
	}
	return append(fields, Text(value[min(start, len(value)):]))
}

// Text returns a value without escapes.
func Text(value string) string {
	if strings.IndexByte(value, '\\') < 0 {
		return value
	}
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";", `\:`, ":").Replace(value)
}
