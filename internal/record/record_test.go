package record_test

import (
	"slices"
	"testing"
	"time"

	"kith"
	"kith/internal/record"
)

func job(company int64) kith.Job { return kith.Job{Company: kith.Company{ID: company}} }

// A row takes over everything of the merged person and keeps what only the row knows.
func TestRowBecomesTheMergedPerson(t *testing.T) {
	day := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	current := job(3)
	got := record.PersonRow{Rank: 7, CompanyIDs: []int64{9}, Profiles: []string{"kept"}}.Become(record.Dated{
		Person: kith.Person{
			ID: 1, Email: "Ann@Example.COM", SocialURL: "https://www.social.example/in/Ann/",
			WorkRelevant: &current, WorkHistory: []kith.Job{job(5), job(3), job(0)},
		},
		AsOf: day, Trail: []byte("{}"),
	})
	if got.Email != "ann@example.com" || got.SocialKey == "" || got.SocialID != "ann" {
		t.Errorf("keys %q, %q, %q", got.Email, got.SocialKey, got.SocialID)
	}
	if !slices.Equal(got.CompanyIDs, []int64{3, 5}) {
		t.Errorf("companies %v: want each employer with an id once", got.CompanyIDs)
	}
	if !got.AsOf.Equal(day) || string(got.Trail) != "{}" {
		t.Errorf("the data of the person is of %v, %s", got.AsOf, got.Trail)
	}
	if got.Rank != 7 || !slices.Equal(got.Profiles, []string{"kept"}) {
		t.Errorf("rank %d, profiles %q", got.Rank, got.Profiles)
	}
}

// A merged person has each profile once, however its address is written.
func TestRowHasEachProfileOnce(t *testing.T) {
	var row record.PersonRow
	for _, url := range []string{
		"https://social.example/in/ann", "http://www.social.example/in/ann/", "", "https://social.example/in/bob",
	} {
		row.AddProfile(kith.Person{SocialURL: url})
	}
	if len(row.Profiles) != 2 {
		t.Errorf("profiles %q", row.Profiles)
	}
}

func TestOriginNamesOwnerAndImport(t *testing.T) {
	if err := (record.Origin{}).Check(); err == nil {
		t.Error("an origin that names no owner passes")
	}
	o := record.ForEveryone()
	if err := o.Check(); err != nil || o.Owner() != record.Everyone || o.Import() != 0 {
		t.Errorf("owner %q, import %d, %v", o.Owner(), o.Import(), err)
	}
	if o = record.OwnedBy("user:5").Supplied(8); o.Check() != nil || o.Owner() != "user:5" || o.Import() != 8 {
		t.Errorf("owner %q, import %d", o.Owner(), o.Import())
	}
}
