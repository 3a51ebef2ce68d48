package reader

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed courtesy.txt
var courtesyFile string

// courtesies are the patterns of courtesy.txt.
var courtesies = sync.OnceValue(func() (all []*regexp.Regexp) {
	for line := range strings.Lines(courtesyFile) {
		line = strings.TrimSuffix(line, "\n")
		if start, ok := strings.CutPrefix(line, "^"); ok {
			all = append(all, regexp.MustCompile(`(?i)^\s*`+start))
		} else if end, ok := strings.CutPrefix(line, "$"); ok {
			all = append(all, regexp.MustCompile(`(?i)`+end+`\s*$`))
		}
	}
	return all
})

// withoutCourtesy replaces the courtesy around a prompt by spaces: what remains keeps its place. A prompt of nothing
// else stays, and so does an opening before a verb (I want to talk to).
func withoutCourtesy(text string) string {
	for changed := true; changed; {
		changed = false
		for _, pattern := range courtesies() {
			at := pattern.FindStringIndex(text)
			if at == nil || strings.TrimSpace(text[at[0]:at[1]]) == "" {
				continue
			}
			rest := text[:at[0]] + strings.Repeat(" ", utf8.RuneCountInString(text[at[0]:at[1]])) + text[at[1]:]
			if left := strings.TrimSpace(rest); left == "" || strings.HasPrefix(strings.ToLower(left), "to ") {
				continue
			}
			text, changed = rest, true
		}
	}
	return text
}
