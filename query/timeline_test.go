package query_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kith/internal/test/expect"
	"kith/query"
)

func TestJSONRoundTripOfTimelines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := query.Not{Part: timeline().Draw(t, "timeline")}
		text, err := json.Marshal(query.JSON{Query: want})
		expect.NoError(t, err)
		var got query.JSON
		expect.NoError(t, json.Unmarshal(text, &got))
		if !query.Equal(got.Query, want) {
			t.Fatalf("%s\nwas  %s\nreads %s", text, query.String(want), query.String(got.Query))
		}
	})
}

func TestEqualComparesEveryMemberOfTimelines(t *testing.T) {
	base := func() query.Timeline {
		where := query.Term{Field: query.Title, Value: "engineer"}
		spell := query.Spell{Where: where, Months: query.Months{Min: new(int64(3))}}
		return query.Timeline{
			Steps: []query.Step{{Spell: spell}, {Spell: spell, Order: query.Next}}, Every: &query.Spell{},
			Counts: []query.SpellCount{{Min: new(int64(1))}}, Today: 5,
		}
	}
	if !query.Equal(base(), base()) {
		t.Error("a timeline does not equal its copy")
	}
	all := base()
	all.AtLeast = 2
	if !query.Equal(base(), all) {
		t.Error("at least two of two steps does not equal all steps")
	}
	for name, change := range map[string]func(*query.Timeline){
		"of":       func(t *query.Timeline) { t.Of = query.Jobs },
		"steps":    func(t *query.Timeline) { t.Steps = t.Steps[:1] },
		"where":    func(t *query.Timeline) { t.Steps[0].Where = nil },
		"months":   func(t *query.Timeline) { t.Steps[0].Months.Max = new(int64(9)) },
		"first":    func(t *query.Timeline) { t.Steps[0].First = true },
		"status":   func(t *query.Timeline) { t.Steps[0].Status = query.Held },
		"order":    func(t *query.Timeline) { t.Steps[1].Order = query.Later },
		"employer": func(t *query.Timeline) { t.Steps[1].Employer = query.SameEmployer },
		"gap":      func(t *query.Timeline) { t.Steps[1].Gap.Min = new(int64(1)) },
		"at least": func(t *query.Timeline) { t.AtLeast = 1 },
		"every":    func(t *query.Timeline) { t.Every = nil },
		"count":    func(t *query.Timeline) { t.Counts[0].Max = new(int64(1)) },
		"counts":   func(t *query.Timeline) { t.Counts = nil },
		"today":    func(t *query.Timeline) { t.Today = 6 },
	} {
		changed := base()
		if change(&changed); query.Equal(base(), changed) {
			t.Errorf("%s: Equal ignores the change", name)
		}
	}
}

func TestTimelinePrintsInWords(t *testing.T) {
	tl := query.Timeline{
		Of: query.Jobs,
		Steps: []query.Step{
			{Spell: query.Spell{First: true, Where: query.Term{Field: query.Title, Value: "intern"}}},
			{
				Spell:    query.Spell{Status: query.Held, Months: query.Months{Min: new(int64(24))}},
				Employer: query.SameEmployer,
				Gap:      query.Months{Max: new(int64(3))},
			},
		},
		Every:  &query.Spell{Status: query.Ended},
		Counts: []query.SpellCount{{Min: new(int64(1)), Max: new(int64(2))}},
	}
	const want = `a career of [the first job with title = "intern"; then at the same employer after at most 3 months ` +
		"a held job of at least 24 months; every one is an ended job; employers with a job: 1 to 2]"
	if got := query.String(tl); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The comment lists the timelines that are checked after the statement. No value can end it early.
func TestStatementNamesItsChecksInAComment(t *testing.T) {
	tl := query.Timeline{Steps: []query.Step{{Spell: query.Spell{Where: query.Term{
		Field: query.Title,
		Value: "a */ DROP /* b",
	}}}}}
	sql := query.Statement{Stages: []query.Query{query.All{}}, Checked: []query.Timeline{tl}}.SQL()
	if strings.Count(sql, "/*") != 1 || strings.Count(sql, "*/") != 1 ||
		!strings.HasPrefix(sql, "/* checked of each person found: a career of [a stay with title = ") {
		t.Errorf("got %s", sql)
	}
}
