package elasticindex

import (
	"context"
	"encoding/json"
	"net/http"
)

// upgrade adds the fields that have come since to the indices of all versions,
// so that they can be written until they are built anew. It does not note that
// the mapping is the present one, because what was written before is not.
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
			// A field has become another kind. The index stays as it is; it can
			// be searched until it is built anew.
		case a.status != http.StatusOK:
			return statusError("add fields to the index", a)
		}
	}
	return nil
}
