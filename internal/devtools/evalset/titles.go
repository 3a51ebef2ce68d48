package evalset

import (
	"fmt"
	"slices"
	"strings"
)

// title is a parsed job title. Each part is yes or maybe.
type title struct {
	text      string
	functions map[string]truth
	levels    map[string]truth
	roles     map[string]truth
	// words are its words in lower case.
	words []string
}

// addTitles parses a line of titles.txt.
func (t *tables) addTitles(cols []string) error {
	role := cols[2]
	roles := map[string]truth{}
	if sure, differs := strings.CutSuffix(role, "?"); differs {
		roles[sure] = maybe
	} else if role != "-" {
		roles[role] = yes
	}
	for _, text := range parts(cols[3]) {
		if _, twice := t.titles[text]; twice {
			return fmt.Errorf("%q appears twice", text)
		}
		t.titles[text] = title{text: text, functions: marks(cols[0]), levels: marks(cols[1]), roles: roles}
	}
	return nil
}

// marks parses words, of which some have a question mark (maybe).
func marks(text string) map[string]truth {
	out := map[string]truth{}
	for word := range strings.FieldsSeq(text) {
		if sure, differs := strings.CutSuffix(word, "?"); differs {
			out[sure] = maybe
		} else if word != "-" {
			out[word] = yes
		}
	}
	return out
}

// title parses a title. It ignores occasional additions, and takes the level from a word
// before a trade. If no list has the title, nothing is known about it.
func (t *tables) title(text string) title {
	core := text
	if known, ok := t.titles[text]; ok {
		return known.as(text)
	}
	for _, addition := range additions() {
		core = strings.TrimSuffix(core, addition)
	}
	known, ok := t.titles[core]
	if !ok {
		known = t.derived(core)
	}
	return known.as(text)
}

// as returns the title with a text and its words.
func (t title) as(text string) title {
	t.text = text
	t.words = strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" ,()", r) })
	return t
}

// additions are what people add to a title.
func additions() []string {
	return []string{
		", EMEA", ", Payments", " - Growth", " (Remote)", ", Platform", " - North America", ", APAC",
		" (Contract)", ", Enterprise", " - Mobile",
	}
}

// derived parses a title that is formed from a trade.
func (t *tables) derived(text string) title {
	trade := strings.TrimSuffix(text, " II")
	levels := map[string]truth{}
	for prefix, level := range map[string]string{
		"Junior ": "entry", "Senior ": "senior", "Sr. ": "senior", "Lead ": "lead", "Staff ": "lead", "Principal ": "lead",
		"Freelance ": "", "Part-time ": "", "Apprentice ": "entry", "Trainee ": "entry", "Graduate ": "entry",
		"Assistant ": "",
		"Head ":      "", "Master ": "", "Consultant ": "",
	} {
		if rest, ok := strings.CutPrefix(trade, prefix); ok {
			trade = rest
			if level != "" {
				levels[level] = yes
			}
			break
		}
	}
	known := t.titles[trade]
	known.levels = levels
	return known
}

// level holds for jobs with one of the levels.
func level(names ...string) jobIs {
	return func(j *job) truth {
		t := no
		for _, n := range names {
			t = max(t, j.title.levels[n])
		}
		return t
	}
}

// directorUp holds for directors, heads and everyone above.
func directorUp() jobIs { return level("director", "vp", "cxo", "founder") }

// works holds for jobs in a function.
func works(function string) jobIs {
	return func(j *job) truth { return j.title.functions[function] }
}

// role is a role in prompts.
type role struct {
	// spellings are the names, each with its plural.
	spellings     [][2]string
	sure, differs []string
	chief         bool
}

func (t *tables) addRole(cols []string) error {
	r, err := readRole(cols)
	t.roles = append(t.roles, r)
	return err
}

func (t *tables) addChief(cols []string) error {
	r, err := readRole(cols)
	r.chief = true
	t.chiefs = append(t.chiefs, r)
	return err
}

func readRole(cols []string) (*role, error) {
	r := &role{sure: parts(cols[1]), differs: parts(cols[2])}
	for _, spelling := range parts(cols[0]) {
		one, several, ok := strings.Cut(spelling, "/")
		if strings.Count(spelling, "/") > 1 || !ok {
			return r, fmt.Errorf("%q is not singular and plural", spelling)
		}
		r.spellings = append(r.spellings, [2]string{one, several})
	}
	return r, nil
}

// is returns whether a job has the role.
func (r *role) is(j *job) truth {
	t := no
	for name, sure := range j.title.roles {
		switch {
		case slices.Contains(r.sure, name):
			t = max(t, sure)
		case slices.Contains(r.differs, name):
			t = max(t, maybe)
		}
	}
	return t
}

// narrowed holds for jobs that match a word before a role: senior, junior, lead, staff, principal.
func narrowed(word string) jobIs {
	return func(j *job) truth {
		has := func(words ...string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(j.title.words, w) })
		}
		switch word {
		case "senior":
			return seniorTruth(has, j)
		case "junior":
			if has("junior", "jr.") {
				return yes
			}
			return min(maybe, j.title.levels["entry"])
		}
		return when(has(word))
	}
}

func seniorTruth(has func(...string) bool, j *job) truth {
	switch {
	case has("senior", "sr.") && has("staff", "principal", "lead"):
		return maybe
	case has("senior", "sr."):
		return yes
	}
	return min(maybe, j.title.levels["senior"])
}
