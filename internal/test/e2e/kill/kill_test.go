package kill_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/effort"
	"kith/internal/test/expect"
)

// badLines cannot be stored.
var badLines = []string{"{", `{"full_name":7}`, `["Ann"]`}

// withBadLines writes a load file of people with bad lines among them.
func withBadLines(t *testing.T, k e2e.Kith, name string, people []e2e.Record) string {
	t.Helper()
	path := k.Write(t, name, people)
	text, err := os.ReadFile(path)
	expect.NoError(t, err)
	lines := bytes.SplitAfter(text, []byte("\n"))
	var out []byte
	for i, line := range lines {
		if i%(len(lines)/len(badLines)) == 1 && i/(len(lines)/len(badLines)) < len(badLines) {
			out = append(out, badLines[i/(len(lines)/len(badLines))]+"\n"...)
		}
		out = append(out, line...)
	}
	return k.File(t, name, string(out))
}

// A load is killed midway and repeated.
func TestKilledLoadsCanBeRepeated(t *testing.T) {
	effort.OnlyLong(t)
	e2e.OnEngines(t, func(t *testing.T, k e2e.Kith) { loadsAgain(t, k) })
}

// The same without an index, which the load builds in one pass with the records.
func TestKilledFirstLoadsCanBeRepeated(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) { loadsAgain(t, k, "--no-index") })
}

// loadsAgain kills a load, after companies were loaded with some flags, and repeats it.
func loadsAgain(t *testing.T, k e2e.Kith, flags ...string) {
	t.Helper()
	g := e2e.Generate(t)
	path := withBadLines(t, k, "people.ndjson", g.People)
	k.Run(t, append([]string{"load", g.Companies}, flags...)...)
	killLoad(t, k, path)
	in := k.Look(t)
	if n := in.People(t); n == 0 || n >= len(g.People) {
		t.Errorf("the load was killed with %d people stored: too early or too late", n)
	}
	in.Close()
	l := e2e.Summarised(t, k.Run(t, "load", path))
	if l.Read != len(g.People)+len(badLines) || l.Rejected != len(badLines) || l.Unchanged == 0 || l.Created == 0 {
		t.Errorf("the second load: %+v", l)
	}
	if l = e2e.Summarised(t, k.Run(t, "load", path)); l.Unchanged != len(g.People) {
		t.Errorf("the third load: %+v", l)
	}
	s := k.Serve(t, e2e.Unlimited()...)
	if n := s.Found(t, k.LiveToken(t)); n != len(g.People) {
		t.Errorf("searches find %d of %d people", n, len(g.People))
	}
}

// killLoad gives a load the first three quarters of a file and kills it. A load reads only a little ahead, so it
// has stored some by then.
func killLoad(t *testing.T, k e2e.Kith, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	expect.NoError(t, err)
	cmd := k.Command(t.Context(), t, "load", "--kind", "people", "-")
	stdin, err := cmd.StdinPipe()
	expect.NoError(t, err)
	expect.NoError(t, cmd.Start())
	if _, err := stdin.Write(text[:len(text)*3/4]); err != nil {
		t.Fatalf("the load ended by itself: %v", err)
	}
	e2e.Kill(t, cmd)
}

// A reindex is killed once it has made its new version. Searches and writes keep using the old one, and the next
// reindex cleans up.
func TestKilledReindexLeavesTheOldIndex(t *testing.T) {
	effort.OnlyLong(t)
	e2e.OnEngines(t, func(t *testing.T, k e2e.Kith) {
		g := e2e.Generate(t)
		k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson", g.People[:6000]))
		s, in := k.Serve(t, e2e.Unlimited()...), k.Look(t)
		token := k.LiveToken(t)
		before := in.Versions(t)
		cmd := k.Command(t.Context(), t, "reindex")
		expect.NoError(t, cmd.Start())
		e2e.Eventually(t, "a reindex makes a new version", func() bool { return in.Versions(t) > before })
		e2e.Kill(t, cmd)
		if n := in.Versions(t); n != before+1 {
			t.Errorf("the reindex was killed with %d versions of the index: too late", n)
		}
		if n := s.Found(t, token); n != 6000 {
			t.Errorf("%d people are found after the kill", n)
		}
		k.Run(t, "load", k.Write(t, "people-more.ndjson", g.People[6000:6100]))
		if n := s.Found(t, token); n != 6100 {
			t.Errorf("%d people are found after the kill and a load", n)
		}
		k.Run(t, "reindex")
		if n := in.Versions(t); n != before {
			t.Errorf("%d versions of the index remain, want %d", n, before)
		}
		if n := s.Found(t, token); n != 6100 {
			t.Errorf("%d people are found after the next reindex", n)
		}
		in.Close()
	})
}

// Small files are loaded one after the other while the server and then Postgres are killed. Acknowledged people
// are found afterwards.
func TestAcknowledgedLoadsSurviveKills(t *testing.T) {
	e2e.AloneOnEngines(t, func(t *testing.T, k e2e.Kith) {
		g := e2e.Generate(t)
		k.Run(t, "load", g.Companies)
		b := &burst{k: k, people: g.People}
		s := k.Serve(t, e2e.Unlimited()...)
		token := k.LiveToken(t)
		b.load(t)
		b.during(t, func() { s.Kill() })
		b.load(t)
		s = k.Serve(t, e2e.Unlimited()...)
		b.load(t)
		b.during(t, func() { k.KillPostgres(t) })
		s.Kill()
		b.load(t)
		if len(b.acknowledged) < 4*burstSize {
			t.Errorf("only %d people were acknowledged", len(b.acknowledged))
		}
		s = k.Serve(t, e2e.Unlimited()...)
		e2e.Eventually(t, "all acknowledged people are found", func() bool {
			return s.Has(t, token, b.acknowledged) == len(b.acknowledged)
		})
	})
}

// burstSize is the number of people in each load of a burst.
const burstSize = 50

// burst is a sequence of small loads.
type burst struct {
	k            e2e.Kith
	people       []e2e.Record
	next         int
	acknowledged []e2e.Record
}

// load loads the next people. Every second time it leaves the index to the server.
func (b *burst) load(t *testing.T) {
	t.Helper()
	_, stderr, err := b.run(t)
	if err != nil {
		t.Fatalf("a load of the burst: %v\n%s", err, stderr)
	}
}

func (b *burst) run(t *testing.T) (stdout, stderr string, err error) {
	t.Helper()
	part := b.people[b.next : b.next+burstSize]
	b.next += burstSize
	args := []string{"load", b.k.Write(t, fmt.Sprintf("people-%d.ndjson", b.next), part)}
	if b.next/burstSize%2 == 0 {
		args = append(args, "--no-index")
	}
	if stdout, stderr, err = b.k.Try(t, args...); err == nil {
		b.acknowledged = append(b.acknowledged, part...)
	}
	return stdout, stderr, err
}

// during runs four loads, any of which may fail, and calls happens during the second.
func (b *burst) during(t *testing.T, happens func()) {
	t.Helper()
	second, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		<-second
		happens()
	}()
	for i := range 4 {
		if i == 1 {
			close(second)
		}
		if _, stderr, err := b.run(t); err != nil {
			t.Logf("load %d was not acknowledged: %v\n%s", i, err, stderr)
		}
	}
	<-done
}
