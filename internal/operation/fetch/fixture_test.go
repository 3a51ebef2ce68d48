package fetch_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kith/internal/operation/fetch"
	"kith/internal/test/expect"
)

// answer writes the answer to one request.
type answer func(w http.ResponseWriter, r *http.Request)

// registry is a mirror that the machine of the test is configured for, in Maven's settings and in pip's.
type registry struct {
	url string

	mu       sync.Mutex
	requests []*http.Request
	// answers are those to the first requests. All others get the file.
	answers []answer
	file    []byte
}

// path is where a mirror of Maven Central has the file of the tests.
const path = "/maven/org/example/program/1.0/program-1.0.zip"

// newRegistry returns a mirror with a file, and the only one that the test can reach.
func newRegistry(t *testing.T, file []byte, answers ...answer) *registry {
	t.Helper()
	r := &registry{file: file, answers: answers}
	server := httptest.NewServer(r)
	server.Config.SetKeepAlivesEnabled(false) // net/http itself retries on a used connection
	t.Cleanup(server.Close)
	r.url = server.URL
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("PIP_INDEX_URL", "")
	t.Setenv("PIP_CONFIG_FILE", "")
	settings(t, home, mirrorOf("central", r.url+"/maven"))
	return r
}

// mirrorOf is a mirror in Maven's settings.
func mirrorOf(of, url string) string {
	return "<mirrors><mirror><id>m</id><url>" + url + "</url><mirrorOf>" + of + "</mirrorOf></mirror></mirrors>"
}

// settings writes the user's settings of Maven.
func settings(t *testing.T, home, text string) {
	write(t, home, ".m2/settings.xml", "<settings>"+text+"</settings>")
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	expect.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	expect.NoError(t, os.WriteFile(file, []byte(text), 0o600))
}

// ServeHTTP answers a request.
func (r *registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	r.requests = append(r.requests, req)
	n := len(r.requests)
	r.mu.Unlock()
	if n <= len(r.answers) {
		r.answers[n-1](w, req)
		return
	}
	if !strings.HasSuffix(req.URL.Path, ".zip") {
		http.NotFound(w, req)
		return
	}
	whole(r.file)(w, req)
}

// ranges are the ranges that the requests asked for.
func (r *registry) ranges() (all []string) {
	for _, req := range r.requests {
		all = append(all, req.Header.Get("Range"))
	}
	return all
}

// whole answers with a file, or the range of it that the request asks for.
func whole(file []byte) answer {
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", fixed, bytes.NewReader(file))
	}
}

// cut answers with the first 6000 bytes of a file, and hangs up.
func cut(file []byte) answer {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000000")
		_, _ = w.Write(file[:6000])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// fails answers with a status.
func fails(code int) answer {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// program is the archive of the tests.
func program(file []byte) fetch.Program {
	return fetch.Program{
		Archive: fetch.Archive{
			Title: "Program 1.0", SHA256: sum(file), Size: int64(len(file)),
			Source: fetch.Maven{Group: "org.example", Name: "program", Version: "1.0", Extension: "zip"},
		},
		Folder: "program-1.0", Unpack: fetch.Zip("top"),
	}
}

func sum(file []byte) string {
	s := sha256.Sum256(file)
	return hex.EncodeToString(s[:])
}

// zipped is a zip of files by name. Names that begin with bin/ in the folder are programs.
func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range files {
		h := &zip.FileHeader{Name: name, Method: zip.Store}
		h.SetMode(0o600)
		if strings.Contains(name, "/bin/") {
			h.SetMode(0o700)
		}
		f, err := z.CreateHeader(h)
		expect.NoError(t, err)
		_, err = f.Write([]byte(text))
		expect.NoError(t, err)
	}
	expect.NoError(t, z.Close())
	return out.Bytes()
}

// machine is a fetcher with an empty cache, and what it says.
type machine struct {
	*fetch.Fetcher
	dir string

	mu   sync.Mutex
	says []string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{dir: filepath.Join(t.TempDir(), "cache")}
	m.Fetcher = fetch.Hasty(fetch.New(m.dir, func(message string) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.says = append(m.says, message)
	}))
	return m
}

func (m *machine) said() string { return strings.Join(m.says, "\n") }
