package record

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"kith"
	"kith/internal/network"
	"kith/internal/postgres/conn"
	"kith/query/analysis"
	"kith/query/tokenizer"
)

// putTimes replaces the stored times of people at companies and schools. Fresh people have none to replace.
func (w *WriteTx) putTimes(ctx context.Context, people []personValues, fresh bool) error {
	var ids []int64
	var tenures, studies [][]any
	for _, p := range people {
		ids = append(ids, p.row.Person.ID)
		for _, t := range extractTimes(p.row.Person) {
			if t.Org.Company != 0 {
				tenures = append(tenures, []any{t.Person, t.Org.Company, t.From, orOpen(t.To), w.Owner})
			} else {
				studies = append(studies, []any{t.Person, t.Org.School, t.From, orOpen(t.To), w.Owner})
			}
		}
	}
	if !fresh {
		if err := w.deleteTimes(ctx, ids); err != nil {
			return err
		}
	}
	if err := copyRows(ctx, w.Tx, "tenures", tenures, "person_id", "company_id", "from_day", "to_day",
		"owner"); err != nil {
		return err
	}
	return copyRows(ctx, w.Tx, "studies", studies, "person_id", "school", "from_day", "to_day", "owner")
}

func (w *WriteTx) deleteTimes(ctx context.Context, ids []int64) error {
	for _, table := range []string{"tenures", "studies"} {
		if err := conn.Exec(ctx, w.Tx, table, "delete from "+table+" where person_id = any($1)", ids); err != nil {
			return err
		}
	}
	return nil
}

// extractTimes returns the times of a person with a known first day.
func extractTimes(p kith.Person) []network.Time {
	var out []network.Time
	add := func(org network.Org, from, to *string) {
		t, ok := timeAt(org, from, to)
		t.Person = p.ID
		if ok {
			out = append(out, t)
		}
	}
	for _, j := range p.Jobs() {
		if j.Company.ID != 0 {
			add(network.Org{Company: j.Company.ID}, j.StartDate, j.EndDate)
		}
	}
	for _, e := range p.EducationHistory {
		if school := schoolKey(e.Institute); school != "" {
			add(network.Org{School: school}, &e.StartDate, &e.EndDate)
		}
	}
	return joinTimes(out)
}

// joinTimes merges times at the same organization that overlap or follow each other without a gap: a promotion does not
// interrupt the time at a company.
func joinTimes(times []network.Time) []network.Time {
	slices.SortFunc(times, func(a, b network.Time) int {
		return cmp.Or(cmp.Compare(a.Org.Company, b.Org.Company), strings.Compare(a.Org.School, b.Org.School),
			cmp.Compare(a.From, b.From))
	})
	out := times[:0]
	for _, t := range times {
		last := len(out) - 1
		if last >= 0 && out[last].Org == t.Org && (out[last].To == network.Open || t.From <= out[last].To+1) {
			out[last].To = max(out[last].To, t.To)
			continue
		}
		out = append(out, t)
	}
	return out
}

// schoolKey identifies a school by its folded words, truncated because the index accepts at most some 2,700 bytes.
func schoolKey(institute string) string {
	key := strings.Join(tokenizer.Tokens(institute), " ")
	return strings.ToValidUTF8(key[:min(len(key), maxSchool)], "")
}

const maxSchool = 500

func timeAt(org network.Org, from, to *string) (network.Time, bool) {
	t := network.Time{Org: org, To: network.Open}
	if from == nil {
		return t, false
	}
	day, err := analysis.ParseDay(strings.TrimSpace(*from), false)
	if err != nil {
		return t, false
	}
	t.From = network.Day(day)
	if to != nil && strings.TrimSpace(*to) != "" {
		day, err := analysis.ParseDay(strings.TrimSpace(*to), true)
		if err != nil {
			return t, false
		}
		t.To = network.Day(day)
	}
	return t, t.From <= t.To
}

func orOpen(to network.Day) any {
	if to == network.Open {
		return nil
	}
	return to
}
