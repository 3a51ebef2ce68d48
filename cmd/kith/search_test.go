package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"kith"
	"kith/client"
	"kith/internal/test/expect"
)

// printed returns the printed lines of people, without the heading.
func printed(cmd *searchCmd, introducing bool, people ...client.Person) []string {
	var out strings.Builder
	p := &printer{cmd: cmd, out: &output{w: &out}}
	p.begin(introducing)
	for _, who := range people {
		_ = p.person(&client.Result{Person: who})
	}
	p.flush()
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")[1:]
}

// A person takes one line and cannot control the terminal.
func TestPeoplePrintOnOneLine(t *testing.T) {
	at := func(city, country string) kith.Location { return kith.Location{City: city, Country: country} }
	for want, p := range map[string]kith.Person{
		"Ann Lee|Berlin, Germany|https://social.example/in/ann": {
			FullName: "Ann Lee", Location: at("Berlin", "Germany"), SocialURL: "https://social.example/in/ann",
		},
		"Ann Lee":                {FullName: "Ann\nLee"},
		"[31mAnn[2J Lee|Berlin":  {FullName: "\x1b[31mAnn\u009b[2J Lee\a", Location: at("Ber\x00lin", "")},
		"Ann eeL|a\u200db, محمد": {FullName: "Ann \u202eeeL", Location: at("a\u200db", "\u2067محمد\u2069")},
		"李 小龙|Engineer|Acme": {
			FullName: "李 小龙", WorkRelevant: &kith.Job{Title: "Engineer", Company: kith.Company{Name: "Acme"}},
		},
		"A name longer than its column": {FullName: "A name longer than its column"},
	} {
		line := printed(&searchCmd{}, false, client.Person{Person: p})[0]
		if got := cells(line); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// cells joins the non-empty cells of a line.
func cells(line string) string { return regexp.MustCompile(` {2,}`).ReplaceAllString(line, "|") }

// If a search asks for introducers, each line ends with the names of those they can introduce the user to.
func TestIntroductionsArePrinted(t *testing.T) {
	ann := client.Person{Person: kith.Person{FullName: "Ann Lee"}, Match: &client.Match{Network: &client.NetworkDegree{
		Introduces: []client.Introducing{
			{Person: client.PersonName{ID: 1, FullName: "Bob\nBell"}, Score: 8, ScoreLabel: "very_good"},
			{Person: client.PersonName{ID: 2, FullName: "Cid Cole"}},
		},
	}}}
	line := printed(&searchCmd{}, true, ann)[0]
	if !strings.HasSuffix(line, "  Bob Bell (very good), Cid Cole") {
		t.Errorf("printed %q", line)
	}
}

// Cells have the width of their column and mark truncated text.
func TestCellsFitTheirColumn(t *testing.T) {
	for text, want := range map[string]string{
		"abc": "abc  ", "abcde": "abcde", "abcdef": "abcd…", "李小龙": "李小…", "": "     ",
	} {
		if got := cell(text, 5, true); got != want {
			t.Errorf("the cell of %q is %q, not %q", text, got, want)
		}
	}
}

// Completion offers the commands, flags and values that may come next.
func TestCompletionsOfferTheNextWord(t *testing.T) {
	root := kong.Must(&commands{}, helpOptions([]string{helpAll})...).Model.Node
	for line, want := range map[string]string{
		"se":                             "serve search",
		"app cr":                         "create",
		"search --sc":                    "--scope",
		"search --scope ":                "network global",
		"search --scope network --token": "--token",
		"search --user serve --cs":       "--csv",
		"search --all --cs":              "--csv",
		"completion ":                    "bash zsh fish",
		"--log-level ":                   "debug info warn error",
		"search --log-f":                 "--log-format",
		"load people":                    "",
		"compl":                          "completion",
		"nothing of the kind --xyz":      "",
	} {
		if got := strings.Join(completions(root, strings.Split(line, " ")), " "); got != want {
			t.Errorf("%q: %q, not %q", line, got, want)
		}
	}
	if got := completions(root, nil); !slices.Contains(got, "serve") || slices.Contains(got, "complete") {
		t.Errorf("completions of an empty line: %v", got)
	}
}

// The short help leaves out common flags and mentions --help-all, which has them.
func TestShortHelpLeavesOutCommonFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		long bool
	}{{[]string{"search", "--help"}, false}, {[]string{"search", "--help-all"}, true}, {[]string{"--help"}, false}} {
		var out strings.Builder
		parser := kong.Must(&commands{}, append(helpOptions(c.args), kong.Writers(&out, &out),
			kong.Exit(func(int) {}))...)
		_, _ = parser.Parse(normaliseHelp(c.args)) // parsing fails: the root needs a command
		expect.Parts(t, "help", out.String(), "--help-all")
		if strings.Contains(out.String(), "--elasticsearch-url") != c.long {
			t.Errorf("%v:\n%s", c.args, out.String())
		}
	}
}
