package elasticindex

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"kith/index"
)

// replicaLimit limits the wait for the replicas of a version, which Elasticsearch goes on making after it.
const replicaLimit = time.Hour

// Complete implements [index.Writer]. It makes all writes so far searchable, compacts a large version, which takes
// long, adds replicas, and waits for them.
func (d *Driver) Complete(ctx context.Context, name string) error {
	if _, err := d.version(ctx, name); err != nil {
		return err
	}
	pair := d.indexName(index.People, name) + "," + d.indexName(index.Companies, name)
	refresh := request{method: http.MethodPost, path: "/" + pair + "/_refresh"}
	if err := d.change(ctx, "refresh an index version", refresh); err != nil {
		return err
	}
	if err := d.compact(ctx, name); err != nil {
		return err
	}
	// An explicit interval, even the default of one second, also keeps Elasticsearch from suspending the refresh of
	// an index without recent searches, which would delay the next search.
	copies := `"auto_expand_replicas":"0-1"` // one as soon as a second node can hold it
	if d.replicas != nil {
		copies = `"number_of_replicas":` + strconv.Itoa(*d.replicas)
	}
	body := []byte(`{"index":{"refresh_interval":"1s","translog.flush_threshold_size":null,` + copies + `}}`)
	settings := request{method: http.MethodPut, path: "/" + pair + "/_settings", body: body}
	if err := d.change(ctx, "prepare an index version", settings); err != nil {
		return err
	}
	if err := d.change(ctx, "refresh an index version", refresh); err != nil {
		return err
	}
	return d.awaitReplicas(ctx, pair)
}

// awaitReplicas waits until the replicas of a complete version answer searches, so that a node can fail as soon as the
// version is active. It does not wait for a replica that nobody makes, such as one for which there is no node.
func (c *cluster) awaitReplicas(ctx context.Context, pair string) error {
	for end := time.Now().Add(replicaLimit); ; {
		a, err := c.do(ctx, request{
			method: http.MethodGet, path: "/_cluster/health/" + pair,
			// A node knows the health by itself; the elected one may hang.
			params: "local=true&wait_for_status=green&timeout=3s&filter_path=initializing_shards",
		})
		if err != nil {
			return err
		}
		if a.status == http.StatusOK {
			return nil
		}
		if a.status != http.StatusRequestTimeout {
			return statusError("wait for replicas", a)
		}
		var health struct {
			Initializing int `json:"initializing_shards"`
		}
		if err := json.Unmarshal(a.body, &health); err != nil {
			return fmt.Errorf("read the health of Elasticsearch: %w", err)
		}
		if health.Initializing == 0 || time.Now().After(end) {
			return nil
		}
	}
}
