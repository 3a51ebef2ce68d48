package elasticindex_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"kith/index/elasticindex"
	"kith/internal/test/elastictest"
	"kith/internal/test/expect"
)

func TestMain(m *testing.M) { elastictest.Main(m) }

// open returns a driver with its own prefix and a first version.
func open(t testing.TB) *elasticindex.Driver {
	t.Helper()
	d, _ := openAt(t)
	return d
}

// openAt also returns the prefix.
func openAt(t testing.TB) (*elasticindex.Driver, string) {
	t.Helper()
	prefix := elastictest.Prefix(t)
	d := driver(t, elasticindex.Config{URLs: []string{elastictest.URL(t)}, Prefix: prefix})
	expect.NoError(t, d.Setup(t.Context()))
	t.Cleanup(func() { remove(t, d) })
	return d, prefix
}

func driver(t testing.TB, cfg elasticindex.Config) *elasticindex.Driver {
	t.Helper()
	d, err := elasticindex.New(cfg)
	expect.NoError(t, err)
	t.Cleanup(d.Close)
	return d
}

// remove drops all indexes of a driver.
func remove(t testing.TB, d *elasticindex.Driver) {
	if err := d.Remove(context.Background()); err != nil {
		t.Error(err)
	}
}

// raw sends a request without the driver.
func raw(t testing.TB, method, path, body string) (status int, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, elastictest.URL(t)+path,
		strings.NewReader(body))
	expect.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	expect.NoError(t, err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	expect.NoError(t, err)
	return res.StatusCode, string(data)
}
