package query_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/query"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		expect.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	expect.NoError(t, err)
	if got != string(want) {
		t.Errorf("%s differs; run with -update to accept\n%s", path, got)
	}
}

func phrase(f query.Field, words ...string) query.Query { return query.Phrase{Field: f, Words: words} }

// samples has every type of node, and text that a printer must escape.
func samples() []query.Query {
	low, high := int64(-3), int64(200)
	return []query.Query{
		query.All{},
		query.None{},
		city("o'fallon"),
		query.Terms{Field: query.Country, Values: []string{"de", "at", "ch"}},
		query.AllWords{Field: query.Title.In(query.Current), Words: []string{"vice", "president"}},
		query.Phrase{Field: query.Skill, Words: []string{"100%", `back\slash`, "x_y", "o'neil"}},
		query.Phrase{Field: query.Skill, Words: []string{"100%", "o'neil"}, AnyOrder: true},
		or(phrase(query.Skill, "risk"), query.Phrase{Field: query.Skill, Words: []string{"b", "a"}, AnyOrder: true}),
		query.Range{Field: query.CompanySize.In(query.Current), Min: &low, Max: &high},
		query.Range{Field: query.Experience, Max: &high},
		query.Range{Field: query.Experience},
		query.Exists{Field: query.Experience},
		query.Exists{Field: query.City},
		query.Exists{Field: query.CompanySize.In(query.Current)},
		query.IDs{Values: []int64{1, 2, 3}},
		query.Nested{Path: query.Past, Part: and(
			query.Term{Field: query.Title, Value: "engineer"},
			query.Range{Field: query.End, Min: &low},
			query.Exists{Field: query.CompanySize},
			query.IDs{Values: []int64{4}},
			not(or(query.Term{Field: query.Seniority, Value: "lead"}, query.Exists{Field: query.Company})))},
		or(phrase(query.Skill, "deep", "learning"), city("x"), phrase(query.Text, "deep", "sea"),
			phrase(query.Skill, "machine", "learning"), phrase(query.Skill, "x\x00")),
		city("'; DROP TABLE people; --"),
		and(city("x\x00"), not(city("b\xffad"))),
	}
}

func TestStringGolden(t *testing.T) {
	var b strings.Builder
	for _, q := range append(samples(), query.IDs{Values: make([]int64, 30)}) {
		b.WriteString(query.String(q) + "\n")
	}
	golden(t, "string.golden", b.String())
}

func TestSQLGolden(t *testing.T) {
	var b strings.Builder
	for _, q := range samples() {
		b.WriteString(query.Statement{Stages: []query.Query{q}, Limit: 25}.SQL() + ";\n\n")
	}
	staged := query.Statement{
		Stages: []query.Query{and(city("x"), query.Exists{Field: query.City}), city("x"), or(city("x"), city("y"))},
		SortBy: query.Experience, Limit: 10, Offset: 20,
	}
	b.WriteString(staged.SQL() + ";\n\n")
	long := make([]string, 1001)
	ids := make([]int64, 1001)
	for i := range long {
		long[i], ids[i] = strings.Repeat("v", i+1), int64(i+1)
	}
	b.WriteString(query.Statement{Stages: []query.Query{or(query.Terms{Field: query.SocialID, Values: long},
		query.IDs{Values: ids})}}.SQL() + ";\n")
	golden(t, "sql.golden", b.String())
}
