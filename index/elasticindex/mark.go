package elasticindex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"kith"
	"kith/index"
)

// The marks of versions are documents of a separate index, with the IDs of the versions. So they are neither counted
// nor found by searches.

// SetMark implements [index.Marker].
func (d *Driver) SetMark(ctx context.Context, versions []index.Version, mark index.Mark) error {
	for _, v := range versions {
		err := d.setMark(ctx, v, mark)
		if errors.Is(err, errNoMarks) {
			if err = d.createMarks(ctx); err == nil {
				err = d.setMark(ctx, v, mark)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var errNoMarks = errors.New("the index of marks cannot be made")

func (d *Driver) setMark(ctx context.Context, v index.Version, mark index.Mark) error {
	body, err := json.Marshal(markSource{mark.Text})
	if err != nil {
		return err
	}
	a, err := d.do(ctx, request{
		method: http.MethodPut, path: d.markPath(v), body: body,
		params: "require_alias=true&version_type=external_gte&version=" + strconv.FormatInt(mark.Number, 10),
	})
	switch {
	case err != nil:
		return err
	case a.status == http.StatusNotFound:
		return errNoMarks
	case a.status == http.StatusConflict:
		return kith.Unreachable(service, fmt.Errorf("another process has written index version %s meanwhile", v.Name))
	case a.status != http.StatusOK && a.status != http.StatusCreated:
		return statusError("mark an index version", a)
	}
	return nil
}

func (d *Driver) createMarks(ctx context.Context) error {
	body := `{"settings":{"index":{"number_of_shards":1,"auto_expand_replicas":"0-1"}},"mappings":{"dynamic":false},` +
		`"aliases":{"` + d.markAlias() + `":{}}}`
	a, err := d.do(ctx, request{method: http.MethodPut, path: "/" + d.markIndex(), body: []byte(body)})
	if err != nil || a.status == http.StatusOK || indexExists(a) {
		return err
	}
	return statusError("create an index", a)
}

type markSource struct {
	Mark string `json:"mark"`
}

// readMarks fills in the marks of versions.
func (d *Driver) readMarks(ctx context.Context, versions []index.Version) error {
	ids := kith.Each(versions, func(v index.Version) string { return v.ID })
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	if len(ids) == 0 {
		return nil
	}
	body, err := json.Marshal(map[string][]string{"ids": ids})
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ { // the shard of a new index may not be ready
		a, err := d.do(ctx, request{
			method: http.MethodPost, path: "/" + d.markAlias() + "/_mget",
			params: "filter_path=docs._id,docs._source,docs.error", body: body, shards: true,
		})
		switch {
		case err != nil:
			return err
		case a.status == http.StatusNotFound:
			return nil
		case a.status != http.StatusOK:
			return statusError("read the marks of index versions", a)
		}
		if err = fillMarks(versions, a.body); err == nil || attempt == attempts {
			return err
		}
		if err := pause(ctx, attempt); err != nil {
			return err
		}
	}
}

// fillMarks fills in marks. A mark that cannot be read at the moment is an error; a missing one is empty.
func fillMarks(versions []index.Version, body []byte) error {
	var found struct {
		Docs []struct {
			ID     string     `json:"_id"`
			Source markSource `json:"_source"`
			Error  cause      `json:"error"`
		} `json:"docs"`
	}
	if err := json.Unmarshal(body, &found); err != nil {
		return fmt.Errorf("read the marks of index versions: %w", err)
	}
	marks := map[string]string{}
	for _, doc := range found.Docs {
		if doc.Error.Type != "" && doc.Error.Type != "index_not_found_exception" {
			return kith.Unreachable(service, fmt.Errorf("read the mark of an index version: %s", doc.Error))
		}
		marks[doc.ID] = doc.Source.Mark
	}
	for i, v := range versions {
		versions[i].Mark = marks[v.ID]
	}
	return nil
}

// dropMark removes the mark of a dropped version. A leftover is harmless, because IDs are never reused.
func (d *Driver) dropMark(ctx context.Context, v index.Version) error {
	if v.ID == "" { // a version that was only partly created
		return nil
	}
	a, err := d.do(ctx, request{method: http.MethodDelete, path: d.markPath(v)})
	if err != nil || a.status == http.StatusOK || a.status == http.StatusNotFound {
		return err
	}
	return statusError("drop the mark of an index version", a)
}
