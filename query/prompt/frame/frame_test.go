package frame_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/query/prompt/frame"
)

func TestMarkedPromptsAreRead(t *testing.T) {
	for _, test := range []struct {
		text, prompt string
		marks        []frame.Mark
	}{
		{"hello", "hello", nil},
		{"", "", nil},
		{"ex-{c.past McKinsey} who are {t COOs}", "ex-McKinsey who are COOs", []frame.Mark{
			{Kind: frame.Company, From: 3, To: 11, Time: frame.Past}, {Kind: frame.Title, From: 20, To: 24},
		}},
		{"{p Zürich} or {p.or Łódź}", "Zürich or Łódź", []frame.Mark{
			{Kind: frame.Place, From: 0, To: 7}, {Kind: frame.Place, From: 11, To: 18, Join: frame.Or},
		}},
		{"{y.ten.min.? 5}{y.et 6}", "56", []frame.Mark{
			{Kind: frame.Years, From: 0, To: 1, Side: frame.TenureSide, Bound: frame.Min, Optional: true},
			{Kind: frame.Years, From: 1, To: 2, Side: frame.EitherSide},
		}},
		{
			"{q.moved went to} {c.s2 Revolut}, {N.all my network}, {w.s1.left 2021}",
			"went to Revolut, my network, 2021",
			[]frame.Mark{
				{Kind: frame.Cue, From: 0, To: 7, How: frame.Moved},
				{Kind: frame.Company, From: 8, To: 15, Step: 2},
				{Kind: frame.Network, From: 17, To: 27, Reach: frame.WholeNetwork},
				{Kind: frame.When, From: 29, To: 33, Step: 1, Event: frame.Left},
			},
		},
		{`a \{b\} \\ {t c\}\\} \d \`, `a {b} \ c}\ \d \`, []frame.Mark{{Kind: frame.Title, From: 8, To: 11}}},
	} {
		f, err := frame.Parse(test.text)
		expect.NoError(t, err)
		if want := (frame.Frame{Prompt: test.prompt, Marks: test.marks}); !reflect.DeepEqual(f, want) {
			t.Errorf("%s: got %+v, want %+v", test.text, f, want)
		}
		again, err := frame.ParseFor(test.prompt, f.String())
		expect.NoError(t, err)
		if !reflect.DeepEqual(f, again) {
			t.Errorf("%s: read again: %+v", f, again)
		}
	}
}

func TestMarkedPromptsThatAreWrong(t *testing.T) {
	for text, want := range map[string]string{
		"{t cooks":                `"{t cooks" is not closed: put } after its last word`,
		"cooks}":                  `} closes nothing after "cooks": write \} for a brace of the prompt`,
		"{t a {p b}}":             `"{p b}}" stands inside another mark: close the first, as in {t engineers} in {p`,
		"{cooks}":                 `"{cooks}" must have a kind, a space and words, as in {t engineers}`,
		"{x cooks}":               "{x …} has an unknown kind: use one of t (title), f (function), l (level)",
		"{p.past Rome}":           "{p.past …}: a place has no attribute .past: use one of .co .any .pc .s1",
		"{c.past.any X}":          "{c.past.any …}: .any says the same thing again or contradicts .past: keep one",
		"{t.not.not cooks}":       "{t.not.not …}: .not says the same thing again or contradicts .not: keep one",
		"{q moved}":               `"moved": a cue must say what it means, as in {q.moved moved}`,
		"{N I know}":              `"I know": a network must be 1, 2 or all, as in {N.1 I know}`,
		"{t  cooks}":              `a mark must begin and end with a word, without spaces (got " cooks")`,
		"{t }":                    "a mark must have words within the prompt of 0 bytes (got 0 to 0)",
		"{t.or cooks}":            `"cooks": there is no mark before it that it could join: leave out .or`,
		"{t cooks} in {p Rome\n}": `a mark must begin and end with a word, without spaces (got "Rome\n")`,
	} {
		_, err := frame.Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got the error %v, want %s", text, err, want)
		}
	}
}

func TestMarksMustBeTheOnlyDifference(t *testing.T) {
	for text, want := range map[string]string{
		"{t cooks} in Rome":      `after "cooks in R" the prompt has "öme", the text "ome"`,
		"{t cooks} in Röme":      "",
		"{t cooks} in {p Röm}":   `after "cooks in Röm" the prompt has "e", the text nothing more`,
		"{t cooks} in {p Röme}.": `after "cooks in Röme" the prompt has nothing more, the text "."`,
		"cooks in Räme":          `after "cooks in R" the prompt has "öme", the text "äme"`,
	} {
		_, err := frame.ParseFor("cooks in Röme", text)
		if want == "" {
			expect.NoError(t, err)
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got the error %v, want %s", text, err, want)
		}
	}
}

func TestFramesMustBeValid(t *testing.T) {
	for name, marks := range map[string][]frame.Mark{
		"must not overlap":          {{Kind: frame.Title, From: 0, To: 5}, {Kind: frame.Place, From: 4, To: 10}},
		"between characters":        {{Kind: frame.Place, From: 9, To: 10}},
		"must have words":           {{Kind: frame.Place, From: 9, To: 40}},
		"must have words within":    {{Kind: frame.Place, From: -1, To: 3}},
		`"cooks" has no kind "pet"`: {{Kind: "pet", From: 0, To: 5}},
		`place cannot be "past"`:    {{Kind: frame.Place, From: 0, To: 5, Time: frame.Past}},
		`title cannot be "4"`:       {{Kind: frame.Title, From: 0, To: 5, Step: 4}},
		`title cannot be "never"`:   {{Kind: frame.Title, From: 0, To: 5, Time: "never"}},
	} {
		if _, err := frame.New("cooks in ö", marks); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: got the error %v, want %s", marks, err, name)
		}
	}
	f, err := frame.New("a b", []frame.Mark{{Kind: frame.Place, From: 2, To: 3}, {Kind: frame.Title, From: 0, To: 1}})
	expect.NoError(t, err)
	if got := f.String(); got != "{t a} {p b}" {
		t.Errorf("marks in another order than the prompt: %s", got)
	}
}

// Every marked prompt of the reader's data survives its text form.
func TestDataIsRead(t *testing.T) {
	files, err := filepath.Glob("../reader/data/*.txt")
	expect.NoError(t, err)
	lines := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		expect.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSuffix(line, "\n"); line == "" || line[0] == '#' {
				continue
			}
			f, err := frame.Parse(line)
			if err != nil {
				t.Errorf("%s: %s: %v", filepath.Base(file), line, err)
				continue
			}
			again, err := frame.ParseFor(f.Prompt, f.String())
			if err != nil || !reflect.DeepEqual(again, f) {
				t.Errorf("%s: read again as %s: %v", f, again, err)
			}
			lines++
		}
	}
	if lines < 2000 {
		t.Errorf("only %d lines were read", lines)
	}
}

// Any text is either a valid frame that survives its text form, or an error.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"ex-{c.past McKinsey} {t consultants}", "{t.or a}", `\{`, "{p.co.s1.not.both.? é}", "}{", "{q.intro x} {",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read, err := frame.Parse(text)
		if err != nil {
			return
		}
		again, err := frame.ParseFor(read.Prompt, read.String())
		if err != nil || !reflect.DeepEqual(again, read) {
			t.Errorf("%q: %q is read again as %+v: %v", text, read.String(), again, err)
		}
	})
}
