package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// badLines can be stored by no one.
var badLines = []string{"{", `{"full_name":7}`, `["Ann"]`}

// withBadLines is a load file of people with bad lines among them.
func (k kith) withBadLines(t *testing.T, name string, people []record) string {
	t.Helper()
	path := k.write(t, name, people)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	var out []byte
	for i, line := range lines {
		if i%(len(lines)/len(badLines)) == 1 && i/(len(lines)/len(badLines)) < len(badLines) {
			out = append(out, badLines[i/(len(lines)/len(badLines))]+"\n"...)
		}
		out = append(out, line...)
	}
	if err := os.WriteFile(path, out, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestKilledLoad kills a load that has been given a part of its lines, and
// loads again.
func TestKilledLoad(t *testing.T) {
	onEngines(t, func(t *testing.T, k kith) {
		g := generate(t)
		path := k.withBadLines(t, "people.ndjson", g.people)
		k.run(t, "load", g.companies)
		k.killLoad(t, path)
		in := k.look(t)
		if n := in.people(t); n == 0 || n >= len(g.people) {
			t.Errorf("%d people are stored when the load was killed: that is not its middle", n)
		}
		in.close()
		l := summarised(t, k.run(t, "load", path))
		if l.read != len(g.people)+len(badLines) || l.rejected != len(badLines) || l.unchanged == 0 || l.created == 0 {
			t.Errorf("the second load: %+v", l)
		}
		s := k.serve(t, unlimited()...)
		if n := s.found(t, k.liveToken(t)); n != len(g.people) {
			t.Errorf("%d of %d people are found", n, len(g.people))
		}
	})
}

// killLoad gives a load the first three quarters of a file and kills it. A
// load reads only a little more than it stores, so it has stored some by then.
func (k kith) killLoad(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cmd := k.command(t.Context(), "load", "--kind", "people", "-")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := stdin.Write(text[:len(text)*3/4]); err != nil {
		t.Fatalf("the load ended by itself: %v", err)
	}
	killed(t, cmd)
}

// killed ends a command as `kill -9` does.
func killed(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Errorf("the command had ended before it was killed: %v", err)
	}
	_ = cmd.Wait() // it was killed
}

// TestKilledReindex kills a reindex once it has made its new version. The old
// one goes on being searched and written, and the next reindex cleans up.
func TestKilledReindex(t *testing.T) {
	onEngines(t, func(t *testing.T, k kith) {
		g := generate(t)
		k.run(t, "load", g.companies, k.write(t, "people.ndjson", g.people[:6000]))
		s, in := k.serve(t, unlimited()...), k.look(t)
		token := k.liveToken(t)
		before := in.versions(t)
		cmd := k.command(t.Context(), "reindex")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		eventually(t, "a reindex makes a new version", func() bool { return in.versions(t) > before })
		killed(t, cmd)
		if n := in.versions(t); n != before+1 {
			t.Errorf("%d versions of the index when the reindex was killed: that is not its middle", n)
		}
		if n := s.found(t, token); n != 6000 {
			t.Errorf("%d people are found after the kill", n)
		}
		k.run(t, "load", k.write(t, "people-more.ndjson", g.people[6000:6100]))
		if n := s.found(t, token); n != 6100 {
			t.Errorf("%d people are found after a load that follows the kill", n)
		}
		k.run(t, "reindex")
		if n := in.versions(t); n != before {
			t.Errorf("%d versions of the index are left, want %d", n, before)
		}
		if n := s.found(t, token); n != 6100 {
			t.Errorf("%d people are found after the next reindex", n)
		}
		in.close()
	})
}

// TestKilledWriteBurst loads small files one after the other while the server
// and then Postgres are killed. What a load acknowledged is found afterwards.
func TestKilledWriteBurst(t *testing.T) {
	onEngines(t, func(t *testing.T, k kith) {
		g := generate(t)
		k.run(t, "load", g.companies)
		b := &burst{k: k, people: g.people}
		s := k.serve(t, unlimited()...)
		token := k.liveToken(t)
		b.load(t)
		b.during(t, func() { s.kill() })
		b.load(t)
		s = k.serve(t, unlimited()...)
		b.load(t)
		b.during(t, func() { k.killPostgres(t) })
		s.kill()
		b.load(t)
		if len(b.acknowledged) < 4*burstSize {
			t.Errorf("only %d people were acknowledged", len(b.acknowledged))
		}
		s = k.serve(t, unlimited()...)
		eventually(t, "all who were acknowledged are found", func() bool {
			return s.has(t, token, b.acknowledged) == len(b.acknowledged)
		})
	})
}

// burstSize is how many people each load of a burst brings.
const burstSize = 50

// burst is a sequence of small loads.
type burst struct {
	k            kith
	people       []record
	next         int
	acknowledged []record
}

// load loads the next people, and leaves every second time the index to the
// server.
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
	args := []string{"load", b.k.write(t, fmt.Sprintf("people-%d.ndjson", b.next), part)}
	if b.next/burstSize%2 == 0 {
		args = append(args, "--no-index")
	}
	if stdout, stderr, err = b.k.try(t, args...); err == nil {
		b.acknowledged = append(b.acknowledged, part...)
	}
	return stdout, stderr, err
}

// during runs four loads, of which any may fail, and lets something happen
// beside the second.
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

// killPostgres ends the embedded server as `kill -9` does.
func (k kith) killPostgres(t *testing.T) {
	pid, err := k.postgresPID()
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGKILL)
	}
	if err != nil {
		t.Errorf("killing postgres: %v", err)
	}
}

// postgresPID is the process of the embedded server, or of the one that was
// there last, where that was killed.
func (k kith) postgresPID() (int, error) {
	text, err := os.ReadFile(filepath.Join(k.data(), "postgres", "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strconv.Atoi(strings.TrimSpace(first))
}
