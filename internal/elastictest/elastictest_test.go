package elastictest_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kith/internal/elastictest"
	"kith/internal/expect"
)

func TestMain(m *testing.M) { elastictest.Main(m) }

// The test fails if the tests on Elasticsearch are skipped, because the output of a passing package does not show that.
func TestMachineRunsElasticsearch(t *testing.T) {
	err := elastictest.Missing()
	if err == nil || os.Getenv(elastictest.URLVariable) != "" {
		return
	}
	say := t.Errorf
	if os.Getenv(elastictest.WithoutVariable) == "elasticsearch" {
		say = t.Skipf
	}
	say("%v\n\nUntil then the tests on Elasticsearch in these packages do not run:\n  %s\n\nTo do without them: "+
		"%s=elasticsearch go test ./...",
		err, strings.Join(users(t), "\n  "), elastictest.WithoutVariable)
}

// users returns the packages with tests on Elasticsearch.
func users(t *testing.T) []string {
	t.Helper()
	var packages []string
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte("elastictest.")) || bytes.Contains(text, []byte("OnEngines(")) {
			packages = append(packages, "./"+filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), "../../")))
		}
		return err
	})
	expect.NoError(t, err)
	return slices.Compact(packages)
}

// victimEnv makes the test binary a process that starts a node and is killed.
const victimEnv = "KITH_TEST_VICTIM"

// TestVictim starts the node for TestNodeWithSecurityAndTLS.
func TestVictim(t *testing.T) {
	if os.Getenv(victimEnv) == "" {
		t.Skip("TestNodeWithSecurityAndTLS runs it")
	}
	n, err := elastictest.Start(context.Background(),
		elastictest.Options{Security: true, TLS: true, Heap: "384m", Brief: true})
	expect.NoError(t, err)
	expect.NoError(t, json.NewEncoder(os.Stdout).Encode(n))
	select {} // until it is killed
}

// The node belongs to another process, and must end when that process is killed.
func TestNodeWithSecurityAndTLS(t *testing.T) {
	elastictest.Need(t)
	victim := exec.Command(os.Args[0], "-test.run=^TestVictim$")
	victim.Env = append(os.Environ(), victimEnv+"=1")
	out, err := victim.StdoutPipe()
	expect.NoError(t, err)
	expect.NoError(t, victim.Start())
	kill := func() { _ = errors.Join(victim.Process.Kill(), victim.Wait()) } // Wait always fails after a kill
	t.Cleanup(kill)
	var output bytes.Buffer
	var n elastictest.Node
	for lines := bufio.NewScanner(out); n.URL == "" && lines.Scan(); {
		output.Write(append(lines.Bytes(), '\n'))
		_ = json.Unmarshal(lines.Bytes(), &n) // other lines describe no node
	}
	if n.URL == "" {
		t.Fatalf("no node was started:\n%s", &output)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(n.CA)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	askWithSecurity(t, &n, client)
	kill()
	deadline, tick := time.After(5*time.Minute), time.NewTicker(100*time.Millisecond)
	for answers := true; answers; {
		select {
		case <-tick.C:
			_, err := authenticate(client, &n)
			answers = err == nil
		case <-deadline:
			t.Fatal("the node outlives the process that started it")
		}
	}
}

func askWithSecurity(t *testing.T, n *elastictest.Node, client *http.Client) {
	t.Helper()
	if status, err := authenticate(client, n); err != nil || status != http.StatusOK {
		t.Fatalf("with credentials: %d, %v", status, err)
	}
	n.Username = ""
	if status, err := authenticate(client, n); err != nil || status != http.StatusUnauthorized {
		t.Errorf("without credentials: %d, %v", status, err)
	}
	if res, err := http.Get(n.URL); err == nil {
		_ = res.Body.Close()
		t.Error("a client without the CA certificate was accepted")
	}
}

// authenticate asks a node for the caller's identity.
func authenticate(client *http.Client, n *elastictest.Node) (status int, err error) {
	req, err := http.NewRequest(http.MethodGet, n.URL+"/_security/_authenticate", nil)
	if err != nil {
		return 0, err
	}
	if n.Username != "" {
		req.SetBasicAuth(n.Username, n.Password)
	}
	res, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	return res.StatusCode, res.Body.Close()
}
