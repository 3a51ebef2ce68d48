package elasticindex

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"kith"
	"kith/index"
)

// deletePage is the number of deletions in one request.
const deletePage = 5000

// deleteFrom deletes documents from one version. It deletes each at its current version: without a version,
// Elasticsearch would count one higher, and then reject the record's next version as outdated.
func (d *Driver) deleteFrom(ctx context.Context, c index.Collection, version string, ids []int64) error {
	for page := range slices.Chunk(ids, deletePage) {
		for attempt := 1; len(page) > 0; attempt++ {
			raced, err := d.deleteOnce(ctx, c, version, page)
			if err != nil {
				return err
			}
			if len(raced) > 0 && attempt == attempts {
				return kith.Unreachable(service, fmt.Errorf("%d documents were written again while they were deleted",
					len(raced)))
			}
			page = raced
		}
	}
	return nil
}

// deleteOnce deletes the existing documents and returns those that were written meanwhile.
func (d *Driver) deleteOnce(ctx context.Context, c index.Collection, version string,
	ids []int64,
) (raced []int64, err error) {
	have, err := d.existingVersions(ctx, c, version, ids)
	if err != nil {
		return nil, err
	}
	w, ctx := d.newBulk(ctx, c)
	for id, at := range have {
		w.add(ctx, d.writeAlias(c, version), item{id: id, version: version, at: at}, nil)
	}
	err = w.finish(ctx)
	return w.failed.raced, err
}

// existingVersions returns the versions of the existing documents, searchable or not.
func (d *Driver) existingVersions(ctx context.Context, c index.Collection, version string,
	ids []int64,
) (map[int64]int64, error) {
	body, err := json.Marshal(map[string][]int64{"ids": ids})
	if err != nil {
		return nil, err
	}
	a, err := d.do(ctx, request{
		method: http.MethodPost, path: "/" + d.writeAlias(c, version) + "/_mget",
		params: "_source=false&filter_path=docs.found,docs._id,docs._version,docs.error", body: body, shards: true,
	})
	if err != nil {
		return nil, err
	}
	if a.status == http.StatusNotFound {
		return nil, noVersion(version)
	}
	if a.status != http.StatusOK {
		return nil, statusError("look up documents to delete", a)
	}
	return readPresent(a.body, version)
}

func readPresent(body []byte, version string) (map[int64]int64, error) {
	var found struct {
		Docs []struct {
			ID      int64 `json:"_id,string"`
			Version int64 `json:"_version"`
			Found   bool  `json:"found"`
			Error   cause `json:"error"`
		} `json:"docs"`
	}
	if err := json.Unmarshal(body, &found); err != nil {
		return nil, fmt.Errorf("read the documents to delete: %w", err)
	}
	have := make(map[int64]int64, len(found.Docs))
	for _, doc := range found.Docs {
		switch {
		case doc.Error.Type == "index_not_found_exception":
			return nil, noVersion(version)
		case doc.Error.Type != "":
			return nil, kith.Unreachable(service, fmt.Errorf("look up document %d: %s", doc.ID, doc.Error))
		case doc.Found:
			have[doc.ID] = doc.Version
		}
	}
	return have, nil
}
