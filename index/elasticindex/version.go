package elasticindex

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"kith"
	"kith/index"
)

// Setup activates a first, empty version if there is none. Call it at every start.
func (d *Driver) Setup(ctx context.Context) error {
	if err := d.checkProduct(ctx); err != nil {
		return err
	}
	versions, err := d.versions(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(versions, func(v index.Version) bool { return v.Active }) {
		return nil
	}
	name, err := d.Create(ctx)
	if err == nil {
		err = d.Complete(ctx, name)
	}
	if err != nil {
		return err
	}
	return d.Activate(ctx, name)
}

// Versions implements [index.Writer]. It also lists a version with only one index, left by an interrupted Create or
// Drop, so that it can be dropped.
func (d *Driver) Versions(ctx context.Context) ([]index.Version, error) {
	versions, err := d.versions(ctx)
	if err == nil {
		err = d.readMarks(ctx, versions)
	}
	return versions, err
}

// versions returns the versions without their marks.
func (d *Driver) versions(ctx context.Context) ([]index.Version, error) {
	body, err := d.ask(ctx, "list index versions", request{
		method: http.MethodGet, path: "/" + d.alias("*") + "-v*",
		params: "expand_wildcards=open,closed&filter_path=*.aliases,*.settings.index.uuid",
	})
	if err != nil {
		return nil, err
	}
	return d.readVersions(body)
}

func (d *Driver) readVersions(body []byte) ([]index.Version, error) {
	var indices map[string]struct {
		Aliases  map[string]json.RawMessage `json:"aliases"`
		Settings struct {
			Index struct {
				UUID string `json:"uuid"`
			} `json:"index"`
		} `json:"settings"`
	}
	if err := json.Unmarshal(body, &indices); err != nil {
		return nil, fmt.Errorf("read the index versions of Elasticsearch: %w", err)
	}
	found := map[string]index.Version{}
	for name, info := range indices {
		c, version, ok := d.parseIndex(name)
		if !ok {
			continue
		}
		v := found[version]
		v.Name = version
		if _, searched := info.Aliases[d.alias(c)]; searched {
			v.Active = true
		}
		if c == index.People {
			v.ID = info.Settings.Index.UUID
		}
		found[version] = v
	}
	return slices.SortedFunc(maps.Values(found), func(a, b index.Version) int {
		return cmp.Compare(versionNumber(a.Name), versionNumber(b.Name))
	}), nil
}

// Create implements [index.Writer].
func (d *Driver) Create(ctx context.Context) (string, error) {
	versions, err := d.versions(ctx)
	if err != nil {
		return "", err
	}
	n := 1
	if len(versions) > 0 {
		n = versionNumber(versions[len(versions)-1].Name) + 1
	}
	for ; ; n++ {
		name := versionName(n)
		err := d.createIndex(ctx, index.People, name)
		if errors.Is(err, errIndexExists) {
			continue // another process is creating a version too
		}
		if err == nil {
			err = d.createOther(ctx, name)
		}
		if err != nil {
			return "", fmt.Errorf("create index version %s: %w", name, err)
		}
		return name, nil
	}
}

// createOther creates the index of companies next to that of people. If that fails, it drops the index of people, so
// that failed attempts leave nothing behind. The index exists only if the request was repeated: whoever creates that of
// people has the version.
func (d *Driver) createOther(ctx context.Context, version string) error {
	err := d.createIndex(ctx, index.Companies, version)
	if err == nil || errors.Is(err, errIndexExists) {
		return nil
	}
	return errors.Join(err, d.dropIndex(ctx, d.indexName(index.People, version)))
}

// dropIndex drops one index of an incomplete version.
func (d *Driver) dropIndex(ctx context.Context, name string) error {
	return d.change(ctx, "drop an unusable index", request{method: http.MethodDelete, path: "/" + name})
}

var errIndexExists = errors.New("the index exists")

// createIndex creates an index in the order of searches, which lets them stop early. Elasticsearch before 8.19
// rejects that together with nested fields; there the index is unsorted, and searches sort.
func (d *Driver) createIndex(ctx context.Context, c index.Collection, version string) error {
	a, err := d.putIndex(ctx, c, version, true)
	if err == nil && a.status == http.StatusBadRequest && bytes.Contains(a.body, []byte("index sort")) {
		a, err = d.putIndex(ctx, c, version, false)
	}
	switch {
	case err != nil:
		return err
	case indexExists(a):
		return errIndexExists
	case a.status != http.StatusOK:
		return statusError("create an index", a)
	}
	return d.allocated(ctx, d.indexName(c, version), a.body)
}

// allocated verifies that a node holds the new index. Elasticsearch keeps an index that no node takes, but cannot
// search or write it. allocated drops such an index, so that retries do not pile up.
func (d *Driver) allocated(ctx context.Context, name string, created []byte) error {
	var about struct {
		ShardsAcknowledged bool `json:"shards_acknowledged"`
	}
	if err := json.Unmarshal(created, &about); err != nil {
		return fmt.Errorf("create an index: %w", err)
	}
	if about.ShardsAcknowledged {
		return nil
	}
	err := kith.Unreachable(service, fmt.Errorf("no node accepts the new index %s: free disk space, or check its "+
		"allocation settings", name))
	return errors.Join(err, d.dropIndex(ctx, name))
}

func indexExists(a answer) bool {
	return a.status == http.StatusBadRequest && bytes.Contains(a.body, []byte("resource_already_exists_exception"))
}

func (d *Driver) putIndex(ctx context.Context, c index.Collection, version string, sorted bool) (answer, error) {
	mapping, err := wantedMapping(c)
	if err != nil {
		return answer{}, err
	}
	body, err := json.Marshal(map[string]any{
		"settings": map[string]any{"index": d.settings(c, sorted)},
		"mappings": mapping,
		"aliases":  map[string]any{d.writeAlias(c, version): map[string]any{}},
	})
	if err != nil {
		return answer{}, err
	}
	// Elasticsearch times out before the request does, so that its answer says how far it came.
	return d.do(ctx, request{
		method: http.MethodPut, path: "/" + d.indexName(c, version), params: "timeout=20s", body: body,
	})
}

func (d *Driver) settings(c index.Collection, sorted bool) map[string]any {
	shards := 1 // companies are few
	if c == index.People {
		shards = d.shards
	}
	s := map[string]any{
		"number_of_shards": shards,
		// Complete adds the replicas.
		"number_of_replicas": 0,
		// Nobody searches a version before it is active.
		"refresh_interval": "-1",
		// Merges drop the source of committed documents only: see compact.
		"translog.flush_threshold_size": "256mb",
		// Deletions may be forgotten at the next refresh: see forgetDeletions.
		"gc_deletes": "0s",
	}
	if sorted {
		s["sort.field"] = []string{"rank", "id"}
		s["sort.order"] = []string{"desc", "asc"}
	}
	return s
}

// Documents implements [index.Counter].
func (d *Driver) Documents(ctx context.Context, c index.Collection, version string) (int64, error) {
	body, err := d.ask(ctx, "count documents", request{
		method: http.MethodGet, path: "/" + d.writeAlias(c, version) + "/_count", shards: true,
	})
	if err != nil {
		return 0, err
	}
	var answer struct {
		Count  int64 `json:"count"`
		Shards struct {
			Failed int `json:"failed"`
		} `json:"_shards"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return 0, fmt.Errorf("read the count of Elasticsearch: %w", err)
	}
	if answer.Shards.Failed > 0 {
		return 0, kith.Unreachable(service, fmt.Errorf("%d shards were not counted", answer.Shards.Failed))
	}
	return answer.Count, nil
}

// Activate implements [index.Writer].
func (d *Driver) Activate(ctx context.Context, name string) error {
	if _, err := d.version(ctx, name); err != nil {
		return err
	}
	var actions []string
	for _, c := range collections() {
		alias := d.alias(c)
		actions = append(actions,
			`{"remove":{"index":"`+alias+`-v*","alias":"`+alias+`","must_exist":false}}`,
			`{"add":{"index":"`+d.indexName(c, name)+`","alias":"`+alias+`"}}`)
	}
	body := []byte(`{"actions":[` + strings.Join(actions, ",") + `]}`)
	return d.change(ctx, "activate an index version", request{method: http.MethodPost, path: "/_aliases", body: body})
}

// Drop implements [index.Writer].
func (d *Driver) Drop(ctx context.Context, name string) error {
	v, err := d.version(ctx, name)
	if err != nil {
		return err
	}
	if v.Active {
		return kith.Errorf(kith.Conflict, "INDEX_VERSION_ACTIVE",
			"index version %q is active; activate another one first", name)
	}
	pair := d.indexName(index.People, name) + "," + d.indexName(index.Companies, name)
	if err := d.change(ctx, "drop an index version",
		request{method: http.MethodDelete, path: "/" + pair, params: "ignore_unavailable=true"}); err != nil {
		return err
	}
	return d.dropMark(ctx, v)
}

// Remove drops every version with this prefix, including the active one, and the marks. It is for tests.
func (d *Driver) Remove(ctx context.Context) error {
	versions, err := d.versions(ctx)
	if err != nil {
		return err
	}
	for _, v := range versions {
		pair := d.indexName(index.People, v.Name) + "," + d.indexName(index.Companies, v.Name)
		remove := request{method: http.MethodDelete, path: "/" + pair, params: "ignore_unavailable=true"}
		if err := d.change(ctx, "remove an index version", remove); err != nil {
			return err
		}
	}
	return d.change(ctx, "remove the marks",
		request{method: http.MethodDelete, path: "/" + d.markIndex(), params: "ignore_unavailable=true"})
}

// Refresh implements [index.Writer].
func (d *Driver) Refresh(ctx context.Context) error {
	return d.change(ctx, "refresh the index", request{method: http.MethodPost, path: "/" + d.alias("*") +
		"-v*/_refresh"})
}

func (d *Driver) version(ctx context.Context, name string) (index.Version, error) {
	versions, err := d.versions(ctx)
	if err != nil {
		return index.Version{}, err
	}
	i := slices.IndexFunc(versions, func(v index.Version) bool { return v.Name == name })
	if i < 0 {
		return index.Version{}, noVersion(name)
	}
	return versions[i], nil
}
