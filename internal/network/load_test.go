package network_test

import (
	"os"
	"strings"
	"testing"

	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/test/expect"
)

func TestLoadStoresRelationshipsAndRejectsInvalidLines(t *testing.T) {
	d := newDataset(t, 3)
	u := d.user(t, "u1")
	lines := `{"app":"acme","external_user_id":"u1","identifier":"p1","score":9,` +
		`"types":["worked_together","met_in_person"]}
{"app":"acme","external_user_id":"u1","identifier":"p2@example.com"}
{"app":"acme","external_user_id":"u2","identifier":"https://social.example/in/p3","score":1}
{"app":"nobody","external_user_id":"u1","identifier":"p1"}
{"app":"acme","external_user_id":"u1","identifier":"p9"}
{"app":"acme","external_user_id":"u1","identifier":"p1","score":11}
{"app":"acme","external_user_id":"u1","identifier":"p1","types":["friend"]}
{"app":"acme","external_user_id":"u1"}
{"app":"acme","external_user_id":"u1","identifier":"p1","strength":1}
nonsense
{"app":"acme","external_user_id":"u1","identifier":"https://social.example/in/p1","score":9,"types":["met_in_person"]}
`
	rejects := t.TempDir() + "/rejects"
	read := func() loader.Stats {
		t.Helper()
		load := loader.New(d.db)
		load.Relations = d.db.Network()
		stats, err := load.File(t.Context(), record.ForEveryone(), "-",
			loader.Options{Kind: record.Relationships, Stdin: strings.NewReader(lines), Rejects: rejects})
		expect.NoError(t, err)
		return stats
	}
	if s := read(); s.Read != 11 || s.Created != 3 || s.Superseded != 1 || s.Rejected != 7 {
		t.Errorf("first: %s", s)
	}
	if s := read(); s.Read != 11 || s.Unchanged != 3 || s.Superseded != 1 || s.Rejected != 7 {
		t.Errorf("again: %s", s)
	}
	text, err := os.ReadFile(rejects)
	expect.NoError(t, err)
	for _, want := range []string{
		`"line":4,"reason":"app: there is no app`, `"line":5,"reason":"identifier: nobody`,
		`"line":6,"reason":"the score must be between 0 and 10`,
		`"line":7,"reason":"types[0]: must be one of`, `"line":8,"reason":"identifier: is required`, `"line":9`,
		`"line":10`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the reject file lacks %s:\n%s", want, text)
		}
	}
	if got := d.listed(t, u); got != "1 9 [worked_together met_in_person], 2 5 [social_contact]" {
		t.Errorf("u1 has %s", got)
	}
	if got := d.listed(t, d.user(t, "u2")); got != "3 1 [social_contact]" {
		t.Errorf("u2 has %s", got)
	}
}
