package e2e

import (
	"bytes"
	"os"
	"testing"
)

// TestReaderLeaves prints to a reader that has gone, as head does after its last
// line: the last command out stops the embedded Postgres all the same.
func TestReaderLeaves(t *testing.T) {
	t.Parallel()
	k := newKith(t, engines()[0])
	g := generate(t)
	k.run(t, "load", g.companies, k.write(t, "people.ndjson", g.people[:20]))
	url, _ := g.people[0]["social_url"].(string)
	for _, args := range [][]string{{"search", "-f", "socialUrl=" + url}, {"export-subject", url}, {"doctor"}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		var stderr bytes.Buffer
		cmd := k.command(t.Context(), args...)
		cmd.Stdout, cmd.Stderr = w, &stderr
		err = cmd.Run()
		w.Close()
		if err != nil || stderr.Len() > 0 {
			t.Errorf("kith %s: %v: %s", args[0], err, &stderr)
		}
		if pid, err := k.postgresPID(); err == nil {
			t.Errorf("kith %s leaves Postgres running as %d", args[0], pid)
		}
	}
}
