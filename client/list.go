package client

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strconv"
)

// pageSize is the maximum page size of the API.
const pageSize = 100

// entries yields the entries of all pages of a list.
func entries[T any](ctx context.Context, c *Client, path string, query url.Values) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		asked := url.Values{"limit": {strconv.Itoa(pageSize)}}
		maps.Copy(asked, query)
		for {
			var page struct {
				Data       listData[T] `json:"data"`
				Pagination Pagination  `json:"pagination"`
			}
			if err := c.Do(ctx, http.MethodGet, path+"?"+asked.Encode(), nil, &page); err != nil {
				yield(none, err)
				return
			}
			for _, entry := range page.Data {
				if !yield(entry, nil) {
					return
				}
			}
			if !page.Pagination.HasNextPage {
				return
			}
			asked.Set("cursor", page.Pagination.Cursor)
		}
	}
}

// listData are the entries of a page: the data itself, or its only member.
type listData[T any] []T

// UnmarshalJSON implements [json.Unmarshaler].
func (l *listData[T]) UnmarshalJSON(text []byte) error {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return json.Unmarshal(text, (*[]T)(l))
	}
	var members map[string][]T
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	for _, entries := range members {
		*l = entries
	}
	return nil
}

// Collect returns at most limit entries of an iterator; 0 is no limit. On an error it also returns the entries before
// it.
func Collect[T any](entries iter.Seq2[T, error], limit int) ([]T, error) {
	all := []T{}
	for entry, err := range entries {
		if err != nil {
			return all, err
		}
		all = append(all, entry)
		if len(all) == limit {
			break
		}
	}
	return all, nil
}
