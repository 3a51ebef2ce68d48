package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"kith/internal/devtools/evalset/memory"
	"kith/query/prompt"
)

// remote runs prompts on a server.
type remote struct{ url, token string }

// answer is the used part of a server's answer.
type answer struct {
	Data []struct {
		ID int64 `json:"id"`
	} `json:"data"`
	Metadata struct {
		Mode prompt.Mode `json:"mode"`
	} `json:"metadata"`
	Pagination struct {
		Cursor      string `json:"cursor"`
		HasNextPage bool   `json:"has_next_page"`
	} `json:"pagination"`
}

// maxPages limits the pages of a search, to more people than any prompt of a set matches.
const maxPages = 300

// Ask reads all pages of a search for a prompt.
func (r remote) Ask(ctx context.Context, text string) (memory.Answer, error) {
	var out memory.Answer
	body := map[string]any{"prompt": text, "scope": "global", "limit": 100}
	for page := range maxPages {
		a, err := r.post(ctx, body)
		if err != nil {
			return out, err
		}
		if page == 0 {
			out.Mode = a.Metadata.Mode
		}
		for _, p := range a.Data {
			out.IDs = append(out.IDs, p.ID)
		}
		if !a.Pagination.HasNextPage {
			return out, nil
		}
		body = map[string]any{"cursor": a.Pagination.Cursor}
	}
	return out, nil
}

func (r remote) post(ctx context.Context, body any) (a answer, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return a, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+"/v2/people/search", bytes.NewReader(text))
	if err != nil {
		return a, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+r.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, res.Body.Close()) }()
	if res.StatusCode != http.StatusOK {
		return a, fmt.Errorf("the server answers %s", res.Status)
	}
	err = json.NewDecoder(res.Body).Decode(&a)
	return a, err
}
