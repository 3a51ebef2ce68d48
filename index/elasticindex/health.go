package elasticindex

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"kith"
	"kith/index"
	"kith/mappings"
)

// checkLimit is how long Check waits for an answer.
const checkLimit = time.Second

// Check implements [index.Searcher]. It returns nil if the cluster can search every shard of the active version. It
// answers within about two seconds.
func (d *Driver) Check(ctx context.Context) error {
	d.look(ctx)
	a, err := d.health(ctx, d.alias(index.People)+","+d.alias(index.Companies))
	if err != nil {
		return err
	}
	if a.status == http.StatusOK {
		return nil
	}
	if a.status == http.StatusRequestTimeout || a.status == http.StatusNotFound {
		return d.explainRed(ctx)
	}
	return statusError("check the health of the cluster", a)
}

// health asks for the health of indices. Status 408 is red. A node knows it by itself; the elected one may hang.
func (d *Driver) health(ctx context.Context, indices string) (answer, error) {
	return d.do(ctx, request{
		method: http.MethodGet, path: "/_cluster/health/" + indices, timeout: checkLimit, once: true,
		params: "local=true&wait_for_status=yellow&timeout=0s&filter_path=status",
	})
}

// Available implements [index.Checker]. A version has no replicas before it is complete, so it cannot be written
// while the node of a shard is away. Until the cluster gives up a node that hangs, it does not know which is affected.
func (d *Driver) Available(ctx context.Context, version string) error {
	d.look(ctx)
	a, err := d.health(ctx, d.indexName(index.People, version)+","+d.indexName(index.Companies, version))
	switch {
	case err != nil:
		return err
	case a.status == http.StatusRequestTimeout:
		return kith.Unreachable(service, fmt.Errorf("no node that answers has the shards of index version %s", version))
	case a.status != http.StatusOK:
		return statusError("check the health of an index version", a)
	}
	if _, data := d.nodes.unwell(); data > 0 {
		return kith.Unreachable(service, fmt.Errorf("data nodes that do not answer: %d", data))
	}
	return nil
}

// Slow describes the parts of the cluster that did not answer at the last [Driver.Check], around which searches go;
// empty is none.
func (d *Driver) Slow() string {
	addresses, data := d.nodes.unwell()
	var parts []string
	if addresses > 0 {
		parts = append(parts, fmt.Sprintf("addresses that do not answer: %d of %d", addresses, len(d.nodes.all)))
	}
	if data > 0 {
		parts = append(parts, fmt.Sprintf("data nodes that do not answer: %d", data))
	}
	return strings.Join(parts, "; ")
}

// explainRed distinguishes a missing version from unavailable shards.
func (d *Driver) explainRed(ctx context.Context) error {
	for _, c := range collections() {
		a, err := d.do(ctx, request{
			method: http.MethodHead, path: "/_alias/" + d.alias(c), timeout: checkLimit,
			once: true,
		})
		if err != nil {
			return err
		}
		if a.status == http.StatusNotFound {
			return noActive(c)
		}
	}
	return kith.Unreachable(service, errors.New("the cluster's health is red: shards of the index are not allocated"))
}

// CheckWritable returns nil if the active version accepts writes; otherwise the error names the index and the setting
// that blocks them.
func (d *Driver) CheckWritable(ctx context.Context) error {
	body, err := d.ask(ctx, "read the settings", request{
		method: http.MethodGet, path: "/" + d.alias(index.People) + "," + d.alias(index.Companies) + "," +
			d.markIndex() + "/_settings",
		params: "ignore_unavailable=true&filter_path=*.settings.index.blocks",
	})
	if err != nil {
		return err
	}
	var indices map[string]struct {
		Settings struct {
			Index struct {
				Blocks map[string]string `json:"blocks"`
			} `json:"index"`
		} `json:"settings"`
	}
	if err := json.Unmarshal(body, &indices); err != nil {
		return fmt.Errorf("read the settings of Elasticsearch: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(indices)) {
		for _, block := range []string{"read_only_allow_delete", "read_only", "write"} {
			if indices[name].Settings.Index.Blocks[block] == "true" {
				return fmt.Errorf("index %s rejects changes: its setting index.blocks.%s is true", name, block)
			}
		}
	}
	return nil
}

// CheckMapping returns nil if the active version has the mapping of this build of Kith; otherwise the error says what
// to do.
func (d *Driver) CheckMapping(ctx context.Context) error {
	for _, c := range collections() {
		want, err := wantedMapping(c)
		if err != nil {
			return err
		}
		a, err := d.do(ctx, request{
			method: http.MethodGet, path: "/" + d.alias(c) + "/_mapping", params: "filter_path=*.mappings._meta",
		})
		if err != nil {
			return err
		}
		if a.status == http.StatusNotFound {
			return noActive(c)
		}
		if a.status != http.StatusOK {
			return statusError("read the mapping", a)
		}
		if err := sameMapping(c, a.body, want); err != nil {
			return err
		}
	}
	return nil
}

func sameMapping(c index.Collection, got []byte, want map[string]any) error {
	var indices map[string]struct {
		Mappings struct {
			Meta map[string]string `json:"_meta"`
		} `json:"mappings"`
	}
	if err := json.Unmarshal(got, &indices); err != nil {
		return fmt.Errorf("read the mapping of Elasticsearch: %w", err)
	}
	for name, info := range indices {
		if info.Mappings.Meta[digestKey] == want["_meta"].(map[string]string)[digestKey] {
			return nil
		}
		return fmt.Errorf("index %s has the mapping of another version of kith: run kith reindex", name)
	}
	return fmt.Errorf("the index of %s does not record its mapping: run kith reindex", c)
}

// digestKey is the member of an index's metadata with the digest of its mapping.
const digestKey = "kith_mapping"

// wantedMapping returns the mapping of a collection, including its digest.
func wantedMapping(c index.Collection) (map[string]any, error) {
	text, err := mappings.Elasticsearch(string(c))
	if err != nil {
		return nil, err
	}
	var mapping map[string]any
	if err := json.Unmarshal(text, &mapping); err != nil {
		return nil, fmt.Errorf("the Elasticsearch mapping of %s: %w", c, err)
	}
	sum := sha256.Sum256(text)
	mapping["_meta"] = map[string]string{digestKey: hex.EncodeToString(sum[:8])}
	return mapping, nil
}
