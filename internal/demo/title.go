package demo

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// debut is the year in which words of titles came up.
type debut struct {
	words []string
	year  int
}

func readDebuts(t *tables) error {
	t.debuts = map[string][]debut{}
	return lines("since.tsv", 2, func(c []string) error {
		year, err := strconv.Atoi(c[1])
		words := titleWords(c[0])
		t.debuts[words[0]] = append(t.debuts[words[0]], debut{words: words, year: year})
		return err
	})
}

func titleWords(title string) []string {
	return strings.FieldsFunc(title, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+#.&", r)
	})
}

// since returns the first month in which somebody can have had a title.
func (t *tables) since(title string) month {
	first, words := month(0), titleWords(title)
	for i, word := range words {
		for _, d := range t.debuts[word] {
			if n := len(d.words); i+n <= len(words) && slices.Equal(words[i:i+n], d.words) {
				first = max(first, january(d.year))
			}
		}
	}
	return first
}

// called draws a title of a level that existed when a job began, if the function had one.
func (c *career) called(level int, start month) string {
	title := c.work.title(c.luck, level, c.trade)
	for try := 0; try < 24 && c.tables.since(title) > start; try++ {
		title = c.work.title(c.luck, level, of(c.luck, c.work.trades))
	}
	return title
}

// headsOf names the list of titles of those who run a company of a size.
func headsOf(size int) string {
	if size <= 20 {
		return "heads of small companies"
	}
	return "heads of companies"
}

// isEarly reports whether a job may have a title of early employees.
func (s stint) isEarly(at *company) bool {
	return s.level >= mid && s.level <= lead && at.size <= 60 && s.start-january(at.founded) < 24
}

// title draws a title for a job: rarely of an early employee, of a small company's head, or with an addition.
func (c *career) title(job stint) string {
	company := &c.companies[job.company]
	if len(c.work.founding) > 0 && job.isEarly(company) && c.luck.in1000(600) {
		if title := of(c.luck, c.work.founding); c.tables.since(title) <= job.start {
			return title
		}
	}
	if job.level == top && company.size <= 100 && c.luck.in1000(220) {
		return of(c.luck, c.tables.words[headsOf(company.size)])
	}
	title := c.called(job.level, job.start)
	if job.level >= mid && job.level <= director && len(c.work.additions) > 0 && c.luck.in1000(30) {
		if longer := title + of(c.luck, c.work.additions); c.tables.since(longer) <= job.start {
			return longer
		}
	}
	return title
}
