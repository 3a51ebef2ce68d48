package lexicon_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/query/gazetteer"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/phrase"
	"kith/query/taxonomy"
	"kith/query/tokenizer"
)

// spellingColumns returns the column with spellings of each table.
func spellingColumns() map[string]int {
	return map[string]int{
		"roles.tsv": 0, "foreign_roles.tsv": 1, "c_roles.tsv": 0, "founders.txt": 0, "fields.tsv": 0,
		"modifiers.txt": 0,
		"heads.txt":     0, "ranks.tsv": 0,
		"seniority.tsv": 1, "leaders.tsv": 1,
		"industries.tsv": 1, "company_kinds.tsv": 3, "company_aliases.tsv": 1, "school_aliases.tsv": 1,
		"foreign_trades.tsv": 1, "foreign_words.tsv": 2,
		"degree_groups.tsv": 1, "studies.tsv": 1, "skills.tsv": 1, "languages.tsv": 1,
		"judgements.tsv": 1, "words.tsv": 1, "nationalities.tsv": 2, "inhabitants.tsv": 2,
		"place_words.txt": 0, "places_first.txt": 0,
		"not_places.txt": 0,
	}
}

// spellingLists returns the lists of spellings of each table, one for each line, and those of degrees and functions.
func spellingLists(t *testing.T) map[string][][]string {
	t.Helper()
	all := map[string][][]string{}
	for name, column := range spellingColumns() {
		for _, line := range lines(t, filepath.Join("data", name)) {
			cols := strings.Split(line, "\t")
			all[name] = append(all[name], strings.Split(cols[min(column, len(cols)-1)], ";"))
		}
	}
	for _, m := range slices.Concat(taxonomy.PromptDegrees(), taxonomy.PromptFunctions()) {
		all["taxonomy"] = append(all["taxonomy"], m.Spellings)
	}
	return all
}

// Every spelling has a word and at most MaxWords, and no line has a spelling twice.
func TestSpellingsInTablesAreValid(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("data", "*.t*"))
	expect.NoError(t, err)
	columns := spellingColumns()
	for _, path := range files {
		name := filepath.Base(path)
		switch name {
		case "shorthand.tsv", "fillers.txt", "dictionary.tsv": // TestShorthand, TestFillers, TestEnglish
			continue
		}
		if _, known := columns[name]; !known {
			t.Errorf("%s is not among the tables of this test", name)
		}
	}
	for name, lists := range spellingLists(t) {
		for _, list := range lists {
			checkSpellings(t, name, list)
		}
	}
}

// Every abbreviation occurs once, and each of its meanings is a single word.
func TestShorthand(t *testing.T) {
	lex, seen := lexicon.New(), map[string]bool{}
	for _, line := range lines(t, filepath.Join("data", "shorthand.tsv")) {
		short, full, _ := strings.Cut(line, "\t")
		for s := range strings.SplitSeq(short, "; ") {
			if seen[s] {
				t.Errorf("%q is a duplicate", s)
			}
			seen[s] = true
			if got := strings.Join(lex.InFull(s), "; "); got != full || full == "" {
				t.Errorf("%q is %q in full, want %q", s, got, full)
			}
		}
		for w := range strings.SplitSeq(full, "; ") {
			if len(tokenizer.Tokens(w)) != 1 {
				t.Errorf("%q, which %q stands for, is not one word", w, short)
			}
		}
	}
}

// Every filler is found, unless a pattern of many verbs makes it longer than the longest span.
func TestFillers(t *testing.T) {
	lex, fillers := lexicon.New(), 0
	table, err := os.ReadFile(filepath.Join("data", "fillers.txt"))
	expect.NoError(t, err)
	for name, text := range phrase.Table(string(table)) {
		fillers++
		words := tokenizer.Tokens(strings.TrimSuffix(text, "~"))
		says := func(s lexicon.Sense) bool { return s.Type == lexicon.Filler && s.Name == name }
		if len(words) <= lexicon.MaxWords && !slices.ContainsFunc(lex.Senses(words), says) {
			t.Errorf("%q is not found as %q", text, name)
		}
		if strings.ContainsAny(text, "()[]|") {
			t.Errorf("%q is not a phrase", text)
		}
	}
	if fillers < 5000 {
		t.Errorf("%d phrases, want at least 5000", fillers)
	}
}

func checkSpellings(t *testing.T, name string, list []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, s := range list {
		s = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(s), "!"), "~")
		key := gazetteer.PlaceKey(s)
		switch {
		case key == "":
			t.Errorf("%s: %q has no word, in %q", name, s, list)
		case strings.Count(key, " ") >= lexicon.MaxWords:
			t.Errorf("%s: %q has more than %d words", name, s, lexicon.MaxWords)
		case seen[key]:
			t.Errorf("%s: %q is a duplicate in %q", name, s, list)
		}
		seen[key] = true
	}
}

// Every spelling of the tables has a sense, and the values of its senses compile.
func TestEverySpellingIsFound(t *testing.T) {
	lex := lexicon.New()
	compiled := map[string]bool{}
	for name, lists := range spellingLists(t) {
		if strings.Contains(name, "place") || name == "fields.tsv" ||
			name == "modifiers.txt" || name == "ranks.tsv" {
			continue
		}
		for _, s := range slices.Concat(lists...) {
			s = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(s), "!"), "~")
			senses := lex.Senses(tokenizer.Tokens(s))
			if len(senses) == 0 && name != "roles.tsv" {
				t.Errorf("%s: %q has no sense", name, s)
			}
			for _, sense := range senses {
				if id := string(sense.Type) + sense.Name; !compiled[id] && sense.Filter != "" {
					compiled[id] = true
					check(t, sense)
				}
			}
		}
	}
	if len(compiled) < 2000 {
		t.Errorf("the tables have %d senses, want at least 2,000", len(compiled))
	}
}

func check(t *testing.T, s lexicon.Sense) {
	t.Helper()
	if s.Type != lexicon.Industry && len(s.Values) == 0 || len(s.Values)+len(s.Keywords) == 0 {
		t.Errorf("%s %s has no values", s.Type, s.Name)
	}
	if len(s.Values) > 0 {
		compiles(t, s.Filter, s.Values, s.Excluded)
	}
	if len(s.Keywords) > 0 {
		compiles(t, "companyKeywords", s.Keywords, nil)
	}
	if len(s.Broader) > 0 {
		compiles(t, s.Filter, s.Broader, nil)
	}
}

func TestNoticeNamesEveryGeneratedTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("data", "NOTICE"))
	expect.NoError(t, err)
	for name := range spellingColumns() {
		head := strings.Join(firstLines(t, name), " ")
		generated := strings.Contains(head, "scripts/lexicon")
		if generated != strings.Contains(string(text), name+"\n") ||
			!generated && !strings.Contains(strings.ReplaceAll(head, " # ", " "), "ritten by hand") {
			t.Errorf("%s: its head and NOTICE must agree on its origin", name)
		}
	}
}

func firstLines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("data", name))
	expect.NoError(t, err)
	var head []string
	for line := range strings.SplitSeq(string(text), "\n") {
		if !strings.HasPrefix(line, "#") {
			return head
		}
		head = append(head, line)
	}
	return head
}
