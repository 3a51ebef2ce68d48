package elastictest_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"kith/internal/test/elastictest"
	"kith/internal/test/expect"
)

func TestMain(m *testing.M) { elastictest.Main(m) }

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
