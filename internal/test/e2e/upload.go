package e2e

import (
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"kith/internal/test/expect"
)

// Import is what tests read of an import of files.
type Import struct {
	ID            string `json:"id"`
	Status        string `json:"status"`
	Progress      int    `json:"progress"`
	Relationships struct {
		Created   int `json:"created"`
		Updated   int `json:"updated"`
		Unchanged int `json:"unchanged"`
	} `json:"relationships"`
	Files []struct {
		Name   string `json:"name"`
		Format string `json:"format"`
		People struct {
			Created   int `json:"created"`
			Merged    int `json:"merged"`
			Unchanged int `json:"unchanged"`
			Rejected  int `json:"rejected"`
		} `json:"people"`
	} `json:"files"`
	Error struct {
		Code string `json:"code"`
	} `json:"error"`
}

// Upload sends a file to be imported, as it is read from the disk, with further fields.
func (s *Server) Upload(t *testing.T, token, path string, fields map[string]string) Answer {
	t.Helper()
	r, w := io.Pipe()
	form := multipart.NewWriter(w)
	go func() { _ = w.CloseWithError(writeForm(form, path, fields)) }() // never fails
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v2/imports", r)
	expect.NoError(t, err)
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set("Authorization", "Bearer "+token)
	a, err := Do(req)
	if err != nil {
		t.Fatalf("upload %s: %v\n%s", path, err, s.Output())
	}
	return a
}

func writeForm(form *multipart.Writer, path string, fields map[string]string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for name, value := range fields {
		if err := form.WriteField(name, value); err != nil {
			return err
		}
	}
	part, err := form.CreateFormFile("file", filepath.Base(path))
	if err != nil {
		return err
	}
	if _, err := io.Copy(part, f); err != nil {
		return err
	}
	return form.Close()
}

// StartImport has a file imported in the background.
func (s *Server) StartImport(t *testing.T, token, path string) Import {
	t.Helper()
	a := s.Upload(t, token, path, nil)
	if a.Status != http.StatusAccepted {
		t.Fatalf("upload %s: status %d: %s", path, a.Status, a.Body)
	}
	return importIn(t, a)
}

func importIn(t *testing.T, a Answer) Import {
	t.Helper()
	var answer struct {
		Data Import `json:"data"`
	}
	if err := json.Unmarshal(a.Body, &answer); err != nil {
		t.Fatalf("not an import: %v: %s", err, a.Body)
	}
	return answer.Data
}

// EndImport waits until an import has ended; there is false where it is gone.
func (s *Server) EndImport(t *testing.T, token, id string) (m Import, there bool) {
	t.Helper()
	Eventually(t, "the import ends", func() bool {
		a := s.Get(t, "/v2/imports/"+id, token)
		if there = a.Status == http.StatusOK; !there {
			return a.Status == http.StatusNotFound
		}
		m = importIn(t, a)
		return m.Status == "succeeded" || m.Status == "failed"
	})
	return m, there
}

// DeleteImport has an import taken back.
func (s *Server) DeleteImport(t *testing.T, token, id string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, s.URL+"/v2/imports/"+id, nil)
	expect.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	if a, err := Do(req); err != nil || a.Status != http.StatusAccepted {
		t.Fatalf("delete import: %v, status %d: %s", err, a.Status, a.Body)
	}
}
