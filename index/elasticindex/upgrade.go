package elasticindex

import (
	"context"
	"encoding/json"
	"net/http"
)

// upgrade adds missing fields to the indices of all versions, so that they can be written until they are rebuilt. It
// does not update the digest of the mapping, because older documents lack the fields.
func (d *Driver) upgrade(ctx context.Context) error {
	if d.CheckMapping(ctx) == nil {
		return nil
	}
	for _, c := range collections() {
		mapping, err := wantedMapping(c)
		if err != nil {
			return err
		}
		body, err := json.Marshal(map[string]any{"properties": mapping["properties"]})
		if err != nil {
			return err
		}
		a, err := d.do(ctx, request{method: http.MethodPut, path: "/" + d.alias(c) + "-v*/_mapping", body: body})
		switch {
		case err != nil:
			return err
		case a.status == http.StatusBadRequest:
			// A field has changed its kind. The index stays as it is, and can be searched until it is rebuilt.
		case a.status != http.StatusOK:
			return statusError("add fields to the index", a)
		}
	}
	return nil
}
