package evalset

import (
	"embed"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

//go:embed data
var data embed.FS

// tables are the lists of this package.
type tables struct {
	titles     map[string]title
	roles      []*role
	chiefs     []*role
	areas      []area
	demonyms   [][2]string
	industries []industry
	schools    [][2]string
	nicknames  map[string][]string
	// alike are groups of a short form and its given names, in lower case.
	alike [][]string
}

// industry is a kind of company, with the words for it.
type industry struct {
	adjective, plural string
	is                firmIs
}

func readTables() (*tables, error) {
	t := &tables{nicknames: map[string][]string{}, titles: map[string]title{}}
	for file, list := range map[string]struct {
		columns int // at least
		add     func(cols []string) error
	}{
		"titles.txt": {4, t.addTitles}, "occupations.txt": {4, t.addTitles}, "roles.txt": {3, t.addRole},
		"chiefs.txt": {3, t.addChief}, "places.txt": {2, t.addArea}, "demonyms.txt": {2, t.addDemonym},
		"industries.txt": {3, t.addIndustry}, "schools.txt": {2, t.addSchool}, "nicknames.txt": {2, t.addNickname},
	} {
		if err := lines(file, list.columns, list.add); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// lines calls row with the trimmed columns, at least so many, of each line of a list.
func lines(file string, columns int, row func(cols []string) error) error {
	text, err := data.ReadFile("data/" + file)
	if err != nil {
		return fmt.Errorf("evalset: reading a list: %w", err)
	}
	for n, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cols := strings.Split(line, "|")
		for i := range cols {
			cols[i] = strings.TrimSpace(cols[i])
		}
		if len(cols) < columns {
			return fmt.Errorf("evalset: %s, line %d: %d columns, not %d", file, n+1, len(cols), columns)
		}
		if err := row(cols); err != nil {
			return fmt.Errorf("evalset: %s, line %d: %w", file, n+1, err)
		}
	}
	return nil
}

// parts splits a list at semicolons.
func parts(list string) []string {
	var out []string
	for part := range strings.SplitSeq(list, ";") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func (t *tables) addDemonym(cols []string) error {
	t.demonyms = append(t.demonyms, [2]string{cols[0], cols[1]})
	return nil
}

func (t *tables) addSchool(cols []string) error {
	t.schools = append(t.schools, [2]string{cols[0], cols[1]})
	return nil
}

func (t *tables) addNickname(cols []string) error {
	t.nicknames[cols[0]] = parts(cols[1])
	t.alike = append(t.alike, strings.Split(plain(strings.Join(append([]string{cols[0]}, parts(cols[1])...), ";")), ";"))
	return nil
}

func (t *tables) addIndustry(cols []string) error {
	words := parts(cols[0])
	if len(words) < 2 {
		return fmt.Errorf("%q lacks the plural", cols[0])
	}
	sure, unsure := firmIn(parts(cols[1])), firmIn(parts(cols[2]))
	is := func(c *company) truth { return max(sure(c), min(unsure(c), maybe)) }
	t.industries = append(t.industries, industry{adjective: words[0], plural: words[1], is: is})
	return nil
}

// plain returns a text in lower case without diacritics.
func plain(text string) string {
	text = strings.ToLower(text)
	if strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(text) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return spelled(norm.NFC.String(b.String()))
}

// spelled replaces letters that do not decompose by plain ones.
func spelled(text string) string {
	return strings.NewReplacer("ł", "l", "ø", "o", "đ", "d", "ß", "ss", "æ", "ae", "þ", "th", "ı", "i").Replace(text)
}
