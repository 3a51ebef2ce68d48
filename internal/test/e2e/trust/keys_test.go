package trust_test

import (
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// Keys move out of the database, rotate, and move back. Without the master key nothing opens. Earlier erasures and
// tokens stay valid throughout.
func TestKeysMoveAndRotate(t *testing.T) {
	k := e2e.New(t, e2e.Postgres())
	person := e2e.Record{"full_name": "Ann Abel", "social_url": "https://social.example/in/ann"}
	file := k.Write(t, "people.ndjson", []e2e.Record{person})
	k.Run(t, "load", "--kind", "people", file)
	token := k.LiveToken(t)
	k.Run(t, "forget", "--yes", "https://social.example/in/ann")
	key := k.File(t, "master.key", strings.Repeat("secret", 8))
	k.Run(t, "keys", "move", "--to-file", key)
	if _, stderr, err := k.Try(t, "keys"); err == nil || !strings.Contains(stderr, "--master-key-file") {
		t.Errorf("a start without the master key: %v, %s", err, stderr)
	}
	plain := k
	k.Env = append(k.Env[:len(k.Env):len(k.Env)], "KITH_MASTER_KEY_FILE="+key)
	k.Run(t, "keys", "rotate", "--settle", "1ms")
	out, where, err := k.Try(t, "keys")
	expect.NoError(t, err)
	out += where // on standard error
	for _, want := range []string{
		"sealed with master key", "suppression", "hashes the names of erased people",
		"seals",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	kept := func(k e2e.Kith) {
		t.Helper()
		if _, _, err := k.Try(t, "load", "--kind", "people", file); err != nil {
			t.Error(err)
		}
		s := k.Serve(t, e2e.Unlimited()...)
		if n := s.Found(t, token); n != 0 {
			t.Errorf("searches find %d erased people", n)
		}
		s.Stop(t)
	}
	kept(k)
	k.Run(t, "keys", "move", "--to-database")
	kept(plain)
}
