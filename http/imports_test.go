package http_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	kithhttp "kith/http"
	"kith/internal/access/audit"
	"kith/internal/imports"
	"kith/internal/imports/loader"
	"kith/internal/postgres"
	"kith/internal/test/expect"
)

const importsPath = "/v2/imports"

// withImports adds imports to a dataset and works on them until the test ends.
func withImports(t *testing.T, f *fixture, d *kithhttp.Dataset, quota kithhttp.ImportQuota) {
	t.Helper()
	db := f.db
	folder := imports.Folder(t.TempDir())
	store := db.Imports()
	load := loader.New(db)
	load.Relations, load.Users = db.Network(), db.Network()
	worker := imports.NewWorker(imports.Config{
		Desk: store, Open: store.Open, Network: db.Network(), Folder: folder,
		Logger: zerolog.New(zerolog.NewTestWriter(t)),
		Owner:  db.Network().UserOwner, Name: db.Network().NameOf, Loader: load,
		Doubtful: store.Doubtful, Note: db.Audit().Note, Quota: quota.Take,
	})
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the worker of imports ended with %v", err)
		}
	})
	f.importing = func(db *postgres.DB) *imports.Service { return imports.NewService(db.Imports(), folder) }
	d.Imports = f.importing(db)
}

func importsFixture(t *testing.T, quota int) *fixture {
	t.Helper()
	return newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		withImports(t, f, &cfg.Datasets[0], kithhttp.NewImportQuota(f.db.Limits(), quota, "live"))
	})
}

// part is a part of a form; one with a file name is a file.
type part struct{ name, file, text string }

func formOf(t *testing.T, parts ...part) (body, header string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		create := w.CreateFormField
		if p.file != "" {
			create = func(name string) (io.Writer, error) { return w.CreateFormFile(name, p.file) }
		}
		out, err := create(p.name)
		if err == nil {
			_, err = out.Write([]byte(p.text))
		}
		expect.NoError(t, err)
	}
	expect.NoError(t, w.Close())
	return b.String(), "Content-Type: " + w.FormDataContentType()
}

// upload sends a form with a user's token.
func (f *fixture) upload(token string, headers []string, parts ...part) answer {
	f.t.Helper()
	body, kind := formOf(f.t, parts...)
	return f.call(http.MethodPost, importsPath, body, append(headers, kind, "Authorization: Bearer "+token)...)
}

// imported has the fields of an import that tests read.
type imported struct {
	ID, Status string
	Progress   int
	Error      struct{ Code, Message string }
	Files      []struct {
		Name, Format, Problem string
		Rows                  int
		Columns               []struct {
			Name string
			As   []string
		}
		People  struct{ Created, Merged, Unchanged, Rejected int }
		Reasons []struct {
			Reason  string
			Count   int
			Example string
		}
	}
	Doubtful      int
	Relationships struct{ Created, Updated, Unchanged int }
	Contacts      struct{ People, Unknown, Stored int }
}

func importedIn(t *testing.T, a answer) imported {
	t.Helper()
	var m imported
	expect.NoError(t, json.Unmarshal(a.envelope(t).Data, &m))
	return m
}

// await waits until an import has ended or is deleted.
func (f *fixture) await(token, id string) (imported, bool) {
	f.t.Helper()
	deadline := time.After(2 * time.Minute)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		a := f.call(http.MethodGet, importsPath+"/"+id, "", "Authorization: Bearer "+token)
		if a.StatusCode == http.StatusNotFound {
			return imported{}, false
		}
		if m := importedIn(f.t, a.wants(f.t, http.StatusOK, "")); m.Status == "succeeded" || m.Status == "failed" {
			return m, true
		}
		select {
		case <-tick.C:
		case <-deadline:
			f.t.Fatalf("the import did not end: %s", a.body)
		}
	}
}

// imports uploads files and waits for the import to end.
func (f *fixture) imports(token string, parts ...part) imported {
	f.t.Helper()
	m, _ := f.await(token, importedIn(f.t, f.upload(token, nil, parts...).wants(f.t, http.StatusAccepted, "")).ID)
	return m
}

// takeBack deletes an import and waits until it is gone.
func (f *fixture) takeBack(token, id string) {
	f.t.Helper()
	f.call(http.MethodDelete, importsPath+"/"+id, "", "Authorization: Bearer "+token).wants(f.t, http.StatusAccepted,
		"")
	if m, there := f.await(token, id); there {
		f.t.Errorf("the import still exists: %+v", m)
	}
}

// count counts the rows of a table expression.
func (f *fixture) count(from string, args ...any) int {
	f.t.Helper()
	var n int
	expect.NoError(f.t, f.db.Pool().QueryRow(f.t.Context(), "select count(*) from "+from, args...).Scan(&n))
	return n
}

const (
	tableOfTwo = "First Name,Last Name,E-mail Address,Company,Job " +
		"Title\nJane,Doe,jane@acme.example,Acme,CTO\nJohn,Roe,john@acme.example,Acme,Engineer\n,,,,\n"
	tableOfOne = "First Name,Last Name,E-mail Address,Company,Job Title\nJane,Doe,jane@acme.example,Acme Labs,Founder\n"
)

func TestFilesAreImported(t *testing.T) {
	t.Parallel()
	f := importsFixture(t, 0)
	m := f.imports(f.token, part{"file", "contacts.csv", tableOfTwo})
	expect.Len(t, "files of the import", m.Files, 1)
	expect.Values(t, "import", []any{m.Status, m.Progress, m.Relationships.Created}, "succeeded", 100, 2)
	file := m.Files[0]
	expect.Len(t, "columns", file.Columns, 5)
	expect.Values(t, "file", []any{file.Name, file.Format, file.People.Created, file.Columns[0].As},
		"contacts.csv", "people", 2, []string{"person.first_name"})
	again := f.imports(f.token, part{"file", "contacts.csv", tableOfTwo})
	expect.Len(t, "files of the second import", again.Files, 1)
	p := again.Files[0].People
	expect.Values(t, "second import of the same file",
		[]any{p.Unchanged, p.Created, p.Merged, again.Relationships.Unchanged}, 2, 0, 0, 2)
	if n := f.count("people where owner <> ''"); n != 2 {
		t.Errorf("%d people in the database", n)
	}
	var actions []string
	err := f.db.Audit().Each(t.Context(), audit.Filter{}, func(e audit.Entry) error {
		if strings.HasPrefix(e.Action, "import.") || e.Action == "records.imported" {
			actions = append(actions, e.Action+" by "+e.Actor)
		}
		return nil
	})
	expect.NoError(t, err)
	expect.Parts(t, "audit entries", strings.Join(actions, ", "),
		"import.created by user u1, records.imported by user u1")
	var list []imported
	page := f.call(http.MethodGet, importsPath+"?limit=1", "", f.bearer()).wants(t, http.StatusOK, "").envelope(t)
	expect.NoError(t, json.Unmarshal(page.Data, &list))
	expect.Len(t, "first page of imports", list, 1)
	expect.Values(t, "first page of imports", []any{list[0].ID, page.Pagination.HasNextPage}, again.ID, true)
	next := f.call(http.MethodGet, importsPath+"?cursor="+page.Pagination.Cursor, "", f.bearer()).
		wants(t, http.StatusOK, "").
		envelope(t)
	expect.NoError(t, json.Unmarshal(next.Data, &list))
	expect.Len(t, "second page of imports", list, 1)
	expect.Values(t, "second page of imports", []any{list[0].ID, next.Pagination.HasNextPage}, m.ID, false)
	other := f.issue("u2")
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		f.call(method, importsPath+"/"+m.ID, "", "Authorization: Bearer "+other).
			wants(t, http.StatusNotFound, "IMPORT_NOT_FOUND")
	}
}

// A dry run reports what it found and stores nothing.
func TestDryRunsStoreNothing(t *testing.T) {
	t.Parallel()
	f := importsFixture(t, 0)
	f.call(http.MethodGet, importsPath, "", f.bearer()).wants(t, http.StatusOK, "")
	var look struct {
		Complete bool
		Problem  string
		Files    []struct{ Name, Format string }
		People   []struct {
			FullName string `json:"full_name"`
			Title    string
		}
	}
	a := f.upload(f.token, nil, part{"file", `C:\exports\contacts.csv`, tableOfTwo}, part{"dry_run", "", "true"})
	expect.NoError(t, json.Unmarshal(a.wants(t, http.StatusOK, "").envelope(t).Data, &look))
	if !look.Complete || look.Problem != "" || len(look.People) != 2 || look.People[0].FullName != "Jane Doe" ||
		look.Files[0].Name != "contacts.csv" {
		t.Errorf("preview: %+v", look)
	}
	if n := f.count("imports") + f.count("people where owner <> ''"); n != 0 {
		t.Errorf("the dry run stored %d rows", n)
	}
	a = f.upload(f.token, nil, part{"file", "nothing.csv", "id,colour\n1,red\n"}, part{"dry_run", "", "true"})
	if err := json.Unmarshal(a.wants(t, http.StatusOK, "").envelope(t).Data, &look); err != nil ||
		!strings.Contains(look.Problem, "nothing.csv: unknown columns") {
		t.Errorf("dry run of a file with unknown columns: %v, %+v", err, look)
	}
	if m := f.imports(f.token, part{"file", "nothing.csv", "id,colour\n1,red\n"}); m.Status != "failed" ||
		m.Error.Code != "NOTHING_TO_STORE" ||
		strings.Contains(fmt.Sprint(m), "/") {
		t.Errorf("import of a file with unknown columns: %+v", m)
	}
	mapped := f.upload(
		f.token,
		nil,
		part{"file", "own.csv", "Wer,Was\nJane Doe,CTO\n"},
		part{"dry_run", "", "true"},
		part{"map", "", "person: {full_name: Wer}\ncurrent: {title: Was}\n"},
	)
	if err := json.Unmarshal(mapped.wants(t, http.StatusOK, "").envelope(t).Data, &look); err != nil ||
		look.People[0].Title != "CTO" {
		t.Errorf("dry run with a mapping: %v, %+v", err, look)
	}
}

func TestImportRefusesBadUploads(t *testing.T) {
	t.Parallel()
	f := importsFixture(t, 0)
	file := part{"file", "contacts.csv", tableOfTwo}
	for _, c := range []struct {
		parts  []part
		wanted string
	}{
		{nil, "must be a file to import"},
		{[]part{file, {"format", "", "nonsense"}}, `unknown format \"nonsense\"`},
		{[]part{file, {"encoding", "", "nonsense"}}, `unknown encoding \"nonsense\"`},
		{[]part{file, {"map", "", "person: [1"}}, `"field":"map"`},
		{[]part{file, {"dry_run", "", "perhaps"}}, "must be true or false"},
		{[]part{file, {"dryrun", "", "true"}}, "use one of file, format, map"},
		{[]part{file, {"format", "", "\xff"}}, "must be text in UTF-8"},
		{[]part{file, {"map", "", strings.Repeat("x", 70_000)}}, "must be at most 65536 bytes"},
	} {
		a := f.upload(f.token, nil, c.parts...).wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
		if !strings.Contains(string(a.body), c.wanted) {
			t.Errorf("no problem of %s: %s", c.wanted, a.body)
		}
	}
	f.call(http.MethodPost, importsPath, "{}", f.bearer()).
		wants(t, http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
	body, kind := formOf(t, file)
	f.call(http.MethodPost, importsPath, body[:len(body)/2], kind, f.bearer()).
		wants(t, http.StatusBadRequest, "BODY_INCOMPLETE")
	f.call(http.MethodPost, importsPath, body, "Content-Type: multipart/form-data", f.bearer()).
		wants(t, http.StatusBadRequest, "FORM_MALFORMED")
	f.upload(f.token, nil, slices.Repeat([]part{{"owner", "", "jane@example.com"}}, 21)...).
		wants(t, http.StatusBadRequest, "FORM_MALFORMED")
	large := httptest.NewRequestWithContext(t.Context(), http.MethodPost, importsPath, strings.NewReader(body))
	large.ContentLength = 3 << 30
	name, value, _ := strings.Cut(kind, ": ")
	large.Header.Set(name, value)
	large.Header.Set("Authorization", "Bearer "+f.token)
	rec := httptest.NewRecorder()
	f.server.ServeHTTP(rec, large)
	if rec.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("an upload of 3 GiB answered %d", rec.Code)
	}
	if n := f.count("imports"); n != 0 {
		t.Errorf("%d imports exist", n)
	}
}

// Too many open imports of a user are refused, and the files of a refused one are deleted.
func TestOpenImportsAreLimited(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		f.importing = func(db *postgres.DB) *imports.Service {
			return imports.NewService(db.Imports(), imports.Folder(folder))
		}
		cfg.Datasets[0].Imports = f.importing(f.db)
	})
	file := part{"file", "contacts.csv", tableOfTwo}
	for range imports.MaxOpen {
		f.upload(f.token, nil, file).wants(t, http.StatusAccepted, "")
	}
	f.upload(f.token, nil, file).wants(t, http.StatusTooManyRequests, "TOO_MANY_IMPORTS")
	left, err := os.ReadDir(folder)
	expect.NoError(t, err)
	if len(left) != imports.MaxOpen {
		t.Errorf("the folder has the files of %d imports", len(left))
	}
}

func TestRepeatedUploadsMakeOneImport(t *testing.T) {
	t.Parallel()
	f := importsFixture(t, 0)
	key := []string{"Idempotency-Key: k1"}
	file := part{"file", "contacts.csv", tableOfTwo}
	first := importedIn(t, f.upload(f.token, key, file).wants(t, http.StatusAccepted, ""))
	again := f.upload(f.token, key, file).wants(t, http.StatusAccepted, "")
	if m := importedIn(t, again); m.ID != first.ID || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("first and repeated import: %+v, %+v", first, m)
	}
	f.upload(f.token, key, part{"file", "contacts.csv", tableOfOne}).
		wants(t, http.StatusConflict, "IDEMPOTENCY_CONFLICT")
	f.await(f.token, first.ID)
	if n := f.count("imports"); n != 1 {
		t.Errorf("%d imports exist", n)
	}
}

func TestImportsOfFilesHaveAQuota(t *testing.T) {
	t.Parallel()
	f := importsFixture(t, 3)
	if m := f.imports(f.token, part{"file", "two.csv", tableOfTwo}); m.Status != "succeeded" {
		t.Fatalf("import within the quota: %+v", m)
	}
	m := f.imports(f.token, part{"file", "again.csv", tableOfTwo})
	if m.Status != "failed" || m.Error.Code != "IMPORT_QUOTA" {
		t.Errorf("import beyond the quota: %+v", m)
	}
}

// All visitors share the demo: it previews files but stores nothing.
func TestDemoStoresNoImports(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		cfg.Datasets[0].Demo = true
		withImports(t, f, &cfg.Datasets[0], kithhttp.ImportQuota{})
	})
	file := part{"file", "contacts.csv", tableOfTwo}
	f.upload(f.token, nil, file, part{"dry_run", "", "true"}).wants(t, http.StatusOK, "")
	f.upload(f.token, nil, file).wants(t, http.StatusForbidden, "DEMO_READ_ONLY")
}
