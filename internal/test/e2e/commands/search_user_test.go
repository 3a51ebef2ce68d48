package commands_test

import (
	"slices"
	"strings"
	"testing"

	"kith/internal/test/e2e"
)

// Searching as a user lists the user's contacts first. Networks of other users do not matter.
func TestSearchAsUserRanksTheirContactsFirst(t *testing.T) {
	t.Parallel()
	k := e2e.New(t, e2e.Postgres())
	var people []e2e.Record
	for _, name := range []string{"ann", "bob", "cid"} {
		people = append(people, e2e.Record{
			"full_name": name, "social_url": "https://social.example/in/" + name,
			"location": map[string]any{"city": "Berlin"},
		})
	}
	k.Run(t, "load", k.Write(t, "people.ndjson", people))
	for _, app := range []string{"acme", "globex"} {
		k.Run(t, "app", "create", app)
		k.Token(t, app, "both")
	}
	k.Token(t, "acme", "u1")
	k.Run(t, "load", "--kind", "relationships", k.Write(t, "relationships.ndjson", []e2e.Record{
		{"app": "acme", "external_user_id": "u1", "identifier": "cid", "score": 9},
		{"app": "acme", "external_user_id": "both", "identifier": "bob", "score": 9},
	}))
	found := func(as ...string) (names []string) {
		for line := range strings.Lines(k.Run(t, append([]string{"search", "-f", "city=Berlin"}, as...)...)) {
			name, _, _ := strings.Cut(line, " ")
			names = append(names, name)
		}
		return names[1:] // without the heading
	}
	everyone := found()
	for _, c := range []struct {
		as    []string
		knows string
	}{
		{[]string{"--user", "u1"}, "cid"},
		{[]string{"--user", "u1", "--app", "acme"}, "cid"},
		{[]string{"--user", "u1", "--scope", "global"}, ""},
		{[]string{"--user", "both", "--app", "acme"}, "bob"},
		{[]string{"--user", "both", "--app", "globex"}, ""},
	} {
		want := slices.Clone(everyone)
		if i := slices.Index(want, c.knows); i >= 0 {
			want = slices.Insert(slices.Delete(want, i, i+1), 0, c.knows)
		}
		if got := found(c.as...); !slices.Equal(got, want) || len(got) != len(people) {
			t.Errorf("as %v: %v, want %v", c.as, got, want)
		}
	}
	for _, c := range []struct {
		as   []string
		code int
		want string
	}{
		{[]string{"--user", "both"}, 1, "(acme, globex): name one with --app"},
		{[]string{"--user", "u2"}, 1, `there is no user "u2": create one`},
		{[]string{"--user", "u1", "--app", "globex"}, 1, `app "globex" has no user "u1"`},
		{[]string{"--user", "u1", "--app", "initech"}, 1, `there is no app "initech"`},
		{[]string{"--app", "acme"}, 2, "give --user as well"},
	} {
		if _, stderr, err := k.Try(t, append([]string{"search", "x"}, c.as...)...); e2e.ExitCode(err) != c.code ||
			!strings.Contains(stderr, c.want) {
			t.Errorf("as %v: code %d: %s", c.as, e2e.ExitCode(err), stderr)
		}
	}
}
