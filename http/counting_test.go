package http_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	kithhttp "kith/http"
	"kith/internal/record/privacy"
	"kith/internal/test/expect"
)

// counted has the ids that one app sees, by kind, in the order in which they were made.
type counted map[string][]int64

// importPeople imports people with numbers from first on, and returns their ids and those of their employers.
func (f *fixture) importPeople(first, n int) (people, companies []int64) {
	f.t.Helper()
	var table strings.Builder
	table.WriteString("First Name,Last Name,E-mail Address,Company,Job Title\n")
	for i := first; i < first+n; i++ {
		fmt.Fprintf(&table, "Given%d,Family%[1]d,g%[1]d@%s.example,%[2]s works %[1]d,Engineer\n", i, f.app.Name)
	}
	f.imports(f.token, part{"file", "contacts.csv", table.String()})
	for i := first; i < first+n; i++ {
		path := fmt.Sprintf("/v2/people/g%d@%s.example", i, f.app.Name)
		got := as[struct {
			ID   int64
			Work struct{ Company struct{ ID int64 } } `json:"work_relevant"`
		}](f.t, f.call(http.MethodGet, path, "", f.bearer()))
		people, companies = append(people, got.ID), append(companies, got.Work.Company.ID)
	}
	return people, companies
}

// count makes one of each, and notes the ids.
func (c counted) count(f *fixture, round, people int) {
	f.t.Helper()
	persons, companies := f.importPeople(round*people, people)
	c["person"], c["company"] = append(c["person"], persons[0]), append(c["company"], companies[0])
	hook := as[shownWebhook](f.t, f.call(http.MethodPost, webhooksPath, `{"url":"https://hooks.example.com/kith"}`,
		f.bearer()))
	f.call(http.MethodDelete, webhooksPath+"/"+strconv.FormatInt(hook.ID, 10), "", f.bearer()).
		wants(f.t, http.StatusOK, "")
	erased := f.forget(fmt.Sprintf("nobody%d@%s.example", round, f.app.Name))
	number, _ := erased[0]["erasure_id"].(json.Number)
	erasure, err := number.Int64()
	expect.NoError(f.t, err)
	c["webhook"], c["erasure"] = append(c["webhook"], hook.ID), append(c["erasure"], erasure)
}

// Ids of one app say nothing about what another app stored meanwhile: they have no order, and no two are so near each
// other that they could have been counted.
func TestIdentifiersDoNotCountTheRecordsOfOthers(t *testing.T) {
	t.Parallel()
	const rounds, near = 12, 1 << 16
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		withImports(t, f, &cfg.Datasets[0], kithhttp.NewImportQuota(f.db.Limits(), 0, "live"))
		cfg.Datasets[0].Privacy = privacy.New(f.db.Privacy(newSealer(t)))
	})
	other, ids, others := f.ofAnotherApp(), counted{}, counted{}
	for round := range rounds {
		ids.count(f, round, 1)
		others.count(other, round, 7)
	}
	ids["imported together"], _ = f.importPeople(100, 12)
	for kind, made := range ids {
		sorted := slices.Sorted(slices.Values(made))
		if sorted[0] < 1<<46 || sorted[len(sorted)-1] >= 1<<53 {
			t.Errorf("ids out of range (%s): %d", kind, made)
		}
		if slices.Equal(sorted, made) || kind != "imported together" && closest(sorted) < near {
			t.Errorf("ids that can be counted (%s): %d", kind, made)
		}
	}
}

// closest returns the least difference of neighbors.
func closest(sorted []int64) int64 {
	least := sorted[1] - sorted[0]
	for i := 2; i < len(sorted); i++ {
		least = min(least, sorted[i]-sorted[i-1])
	}
	return least
}
