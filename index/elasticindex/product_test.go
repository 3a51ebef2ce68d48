package elasticindex_test

import (
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kith"
	"kith/index/elasticindex"
)

// Setup reports an unsuitable server as a permanent error, not as Unavailable.
func TestSetupRefusesOtherProducts(t *testing.T) {
	version := func(number string) string {
		return `{"version":{"number":"` + number + `"},"tagline":"You Know, for Search"}`
	}
	for name, c := range map[string]struct {
		status     int
		product    string
		body, says string
	}{
		"an older one":      {200, "Elasticsearch", version("7.17.9"), "needs Elasticsearch 8 or newer (found 7.17.9)"},
		"no product header": {200, "", version("6.8.0"), "not Elasticsearch"},
		"OpenSearch": {
			200, "", `{"version":{"distribution":"opensearch","number":"2.11.0"}}`,
			"not Elasticsearch",
		},
		"a web server": {200, "", "<html>Welcome</html>", "not Elasticsearch"},
		"not found":    {404, "", "<html>404</html>", "not Elasticsearch"},
		"a redirect":   {302, "", "", "not Elasticsearch"},
		"a wrong password": {
			401, "Elasticsearch",
			`{"error":{"type":"security_exception","reason":"unable to authenticate"}}`, "check the API key",
		},
		"an invalid version": {200, "Elasticsearch", version("next"), "not Elasticsearch"},
		"other JSON":         {200, "Elasticsearch", `{}`, "not Elasticsearch"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Elastic-Product", c.product)
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		}))
		err := driver(t, elasticindex.Config{URLs: []string{server.URL}, Prefix: "p"}).Setup(t.Context())
		server.Close()
		if err == nil || kith.KindOf(err) == kith.Unavailable || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

func TestNewerVersionsCountAsUntested(t *testing.T) {
	for version, want := range map[string]bool{
		"8.19.0": true, "8.0.0-rc1": true, "9.1.0": false, "80.1.0": false, "": false,
	} {
		if got := elasticindex.Tested(version); got != want {
			t.Errorf("%q: %t", version, got)
		}
	}
}

// The error names the problem and the option that solves it.
func TestTLSErrorsSayWhatToDo(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	for name, c := range map[string]struct {
		url, says string
		ca        []byte
	}{
		"unknown authority":            {server.URL, "--elasticsearch-ca", nil},
		"certificate for another name": {strings.Replace(server.URL, "127.0.0.1", "localhost", 1), "another name", ca},
		"server without TLS":           {strings.Replace(plain.URL, "http:", "https:", 1), "http, not https", nil},
	} {
		err := driver(t, elasticindex.Config{URLs: []string{c.url}, Prefix: "p", CA: c.ca}).Setup(t.Context())
		if err == nil || kith.KindOf(err) == kith.Unavailable || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

// Errors about addresses are logged, and addresses may hold a password.
func TestErrorsHideThePasswordOfAnAddress(t *testing.T) {
	for _, url := range []string{"ftp://elastic:secret@h:1", "http://elastic:top secret@h:1", "elastic:secret@h"} {
		_, err := elasticindex.New(elasticindex.Config{URLs: []string{"http://h:1", url}, Prefix: "p"})
		if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "address 2") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// If no node has disk space for a new index, it is dropped together with its pair, so that repeated
// tries leave nothing.
func TestUnallocatedIndexIsDropped(t *testing.T) {
	for full, want := range map[string]string{
		"/p-people-v1":    "[/p-people-v1]",
		"/p-companies-v1": "[/p-companies-v1 /p-people-v1]",
	} {
		var dropped []string
		d, _ := standIn(t, func(_ int, w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/":
				_, _ = io.WriteString(w, `{"version":{"number":"8.19.0"}}`)
			case r.Method == http.MethodPut:
				_, _ = fmt.Fprintf(w, `{"acknowledged":true,"shards_acknowledged":%t}`, r.URL.Path != full)
			case r.Method == http.MethodDelete:
				dropped = append(dropped, r.URL.Path)
				_, _ = io.WriteString(w, `{"acknowledged":true}`)
			default:
				_, _ = io.WriteString(w, `{}`)
			}
		})
		err := d.Setup(t.Context())
		if kith.KindOf(err) != kith.Unavailable || !strings.Contains(err.Error(), "free disk space") {
			t.Errorf("no space for %s: got %v, want Unavailable and the reason", full, err)
		}
		if fmt.Sprint(dropped) != want {
			t.Errorf("no space for %s: dropped %v, want %s", full, dropped, want)
		}
	}
}
