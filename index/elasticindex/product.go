package elasticindex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// oldest is the oldest major version of Elasticsearch that the driver supports.
const oldest = 8

// Tested reports whether Kith is tested with the major version of this Elasticsearch. Older ones are rejected; newer
// ones may work.
func Tested(version string) bool { return parseMajor(version) == oldest }

// parseMajor returns 8 for "8.19.0", and 0 without a number.
func parseMajor(version string) int {
	number, _, _ := strings.Cut(version, ".")
	major, _ := strconv.Atoi(number)
	return major
}

// Version returns the version of Elasticsearch, such as "8.19.0".
func (d *Driver) Version(ctx context.Context) (string, error) {
	front := request{method: http.MethodGet, path: "/", timeout: checkLimit, once: true}
	a, err := d.do(ctx, front)
	if err != nil {
		return "", err
	}
	return d.readVersion(ctx, front, a)
}

// checkProduct returns an error unless the server is a supported Elasticsearch. It ignores a lack of permission,
// which the next request reports.
func (d *Driver) checkProduct(ctx context.Context) error {
	front := request{method: http.MethodGet, path: "/"}
	a, err := d.do(ctx, front)
	if err != nil || a.status == http.StatusForbidden {
		return err
	}
	version, err := d.readVersion(ctx, front, a)
	if err != nil {
		return err
	}
	major := parseMajor(version)
	if major == 0 {
		return errNotElasticsearch
	}
	if major < oldest {
		return fmt.Errorf("kith needs Elasticsearch %d or newer (found %s)", oldest, version)
	}
	return nil
}

// readVersion reads the version from the front page, or asks a node that has none.
func (d *Driver) readVersion(ctx context.Context, front request, a answer) (string, error) {
	switch {
	case a.status == http.StatusMethodNotAllowed:
		// A node without a front page, such as the one in Kith's tests.
		front.path, front.params = "/_nodes/_local", "filter_path=nodes.*.version"
		return d.nodeVersion(ctx, front)
	case isForbidden(a.status), isRetryable(a.status), a.status >= http.StatusInternalServerError:
		return "", statusError("ask for the version", a)
	}
	var page struct {
		Version struct {
			Number string `json:"number"`
		} `json:"version"`
	}
	if json.Unmarshal(a.body, &page) != nil || page.Version.Number == "" {
		return "", errNotElasticsearch
	}
	return page.Version.Number, nil
}

func (d *Driver) nodeVersion(ctx context.Context, r request) (string, error) {
	body, err := d.ask(ctx, "ask for the version", r)
	if err != nil {
		return "", err
	}
	var local struct {
		Nodes map[string]struct {
			Version string `json:"version"`
		} `json:"nodes"`
	}
	if err := json.Unmarshal(body, &local); err != nil {
		return "", fmt.Errorf("read the version of Elasticsearch: %w", err)
	}
	for _, node := range local.Nodes {
		return node.Version, nil
	}
	return "", errors.New("the nodes of Elasticsearch do not say their version")
}
