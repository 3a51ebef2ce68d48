package faults_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"kith/client"
	"kith/internal/test/e2e"
)

// await waits until background work has succeeded. Work that fails is wrong.
func await(ctx context.Context, c *client.Client, path string) error {
	for {
		var work struct {
			Data struct {
				Status string
				Error  *struct{ Code string }
			}
		}
		if err := c.Do(ctx, http.MethodGet, path, nil, &work); err != nil {
			return err
		}
		switch work.Data.Status {
		case "succeeded":
			return nil
		case "failed", "canceled":
			return wrong(fmt.Sprintf("%s is %s: %+v", path, work.Data.Status, work.Data.Error))
		}
		<-time.After(often)
	}
}

// importing imports address books, and waits for the end of each.
func (s *site) importing() *operation {
	c, o := s.as("import"), &operation{name: "import", pause: seldom}
	o.try = func(ctx context.Context, n int) error {
		id, err := s.upload(ctx, n)
		if err != nil {
			return err
		}
		return await(ctx, c, "/v2/imports/"+id)
	}
	o.check = func(ctx context.Context) (lost, doubled int, err error) {
		me, err := c.Me(ctx)
		if err != nil {
			return 0, 0, err
		}
		return o.compare(me.Network.Relationships, eachImport)
	}
	return o
}

// upload sends the nth address book, and returns its import.
func (s *site) upload(ctx context.Context, n int) (id string, err error) {
	var text bytes.Buffer
	form := multipart.NewWriter(&text)
	err = form.SetBoundary("kith") // the same each time
	if err != nil {
		return "", err
	}
	part, err := form.CreateFormFile("file", "book.csv")
	if err != nil {
		return "", err
	}
	fmt.Fprintln(part, "First Name,Last Name,E-mail Address,Company,Job Title")
	for i := range eachImport {
		fmt.Fprintf(part, "Given%d,Family%[1]d,b%[1]d@book.example,Book Example %d,Engineer\n", n*eachImport+i, i)
	}
	if err := form.Close(); err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://kith/v2/imports", &text)
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set("Authorization", "Bearer "+s.tokens["import"])
	res, err := s.RoundTrip(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var answer struct {
		Data  e2e.Import
		Error *client.Error
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return "", err
	}
	if answer.Error != nil {
		return "", answer.Error
	}
	return answer.Data.ID, nil
}

// reindexing builds the index anew.
func (s *site) reindexing() *operation {
	c := s.as("reindex")
	return &operation{
		name: "reindex", pause: seldom,
		try: func(ctx context.Context, _ int) error { return s.command(ctx, "", "reindex") },
		check: func(ctx context.Context) (lost, doubled int, err error) {
			found, err := count(ctx, c, e2e.Everyone())
			return max(0, stays+refreshed-found), max(0, found-stays-refreshed), err
		},
	}
}

// refreshing refreshes people, and waits until the webhook is told of each.
func (s *site) refreshing() *operation {
	told, c := []string{}, s.as("refresh")
	return &operation{
		name: "refresh", pause: 3 * seldom,
		try: func(ctx context.Context, n int) error {
			var begun struct {
				Data struct {
					JobIDs []string `json:"job_ids"`
				}
			}
			if err := c.Do(ctx, http.MethodPost, "/v2/people/refresh", map[string]any{
				"social_urls": fmt.Sprintf("https://social.example/in/p%d", n), "realtime": false,
			}, &begun); err != nil {
				return err
			}
			if len(begun.Data.JobIDs) != 1 {
				return wrong("a refresh without a job")
			}
			job := begun.Data.JobIDs[0]
			if err := await(ctx, c, "/v2/jobs/"+job); err != nil {
				return err
			}
			for s.world.count(job) == 0 && ctx.Err() == nil {
				<-time.After(often)
			}
			told = append(told, job)
			return ctx.Err()
		},
		check: func(context.Context) (lost, doubled int, err error) {
			for _, job := range told {
				doubled += max(0, s.world.count(job)-1)
			}
			return 0, doubled, nil
		},
	}
}

// backingUp makes backups and reads each. One that failed leaves no file with its name.
func (s *site) backingUp() *operation {
	return &operation{name: "backup", pause: seldom, try: func(ctx context.Context, n int) error {
		path := filepath.Join(s.k.Dir, fmt.Sprintf("backup-%d", n))
		defer func() { _ = os.Remove(path) }() // it may not exist
		if err := s.command(ctx, "", "backup", path); err != nil {
			if _, stat := os.Stat(path); !errors.Is(stat, fs.ErrNotExist) {
				return wrong("a failed backup left a file")
			}
			return err
		}
		if err := s.command(ctx, "", "restore", "--check", path); err != nil {
			return wrong("a backup cannot be read: " + err.Error())
		}
		return nil
	}}
}
