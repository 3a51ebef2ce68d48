// Package mailtest runs a real mail server for tests: aiosmtpd, in its own process. It
// records messages as Python's e-mail parser reads them.
package mailtest

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kith/internal/certtest"
	"kith/internal/expect"
)

//go:embed serve.py
var script []byte

// Options configure a server.
type Options struct {
	// Security is none, starttls or tls, as in an integration.
	Security string
	// Certificate is the server's certificate; empty without TLS.
	Certificate certtest.Certificate
	// Login is the required name and password, joined by a colon; "" for none.
	Login string
	// Refuse is an address that the server rejects.
	Refuse string
}

// Server is a mail server on a local port.
type Server struct {
	Port int
	dir  string
}

// Message is a received message, decoded.
type Message struct {
	From     string
	To       []string
	TLS      bool
	Login    string
	Kind     string
	Headers  [][2]string
	Parts    []Part
	Defects  []string
	Longest  int `json:"longest_line"`
	ASCII    bool
	BareEnds int `json:"bare_line_ends"`
}

// Part is one form of the text of a message.
type Part struct{ Kind, Text string }

// Header returns the value of a header that occurs once; otherwise it returns the number of headers.
func (m Message) Header(name string) string {
	var found []string
	for _, h := range m.Headers {
		if textproto.CanonicalMIMEHeaderKey(h[0]) == textproto.CanonicalMIMEHeaderKey(name) {
			found = append(found, h[1])
		}
	}
	if len(found) != 1 {
		return fmt.Sprintf("%d headers", len(found))
	}
	return found[0]
}

// Start runs a server until the test ends. Without aiosmtpd it fetches it if
// KITH_TEST_FETCH is set; else it skips the test.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	s := &Server{dir: t.TempDir()}
	program := filepath.Join(t.TempDir(), "serve.py")
	expect.NoError(t, os.WriteFile(program, script, 0o600))
	args := []string{program, "--security", o.Security, "--login", o.Login, "--refuse", o.Refuse, s.dir}
	if o.Certificate.PEM != nil {
		file := filepath.Join(t.TempDir(), "certificate.pem")
		expect.NoError(t, os.WriteFile(file, slices.Concat(o.Certificate.PEM, o.Certificate.Key), 0o600))
		args = append(args, "--certificate", file)
	}
	cmd := exec.CommandContext(t.Context(), python(t), args...)
	var output bytes.Buffer
	cmd.Stderr = &output
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatalf("mail server: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		s.Port, err = strconv.Atoi(strings.TrimSpace(line))
	}
	if err != nil {
		t.Fatalf("mail server: %v: %s", err, output.String())
	}
	return s
}

// Messages returns the messages received so far, in order.
func (s *Server) Messages(t testing.TB) []Message {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "*.json"))
	expect.NoError(t, err)
	out := make([]Message, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &out[i])
		}
		expect.NoError(t, err)
	}
	return out
}

// fetchTime limits the time to fetch aiosmtpd.
const fetchTime = 10 * time.Minute
