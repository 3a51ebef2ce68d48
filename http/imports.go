package http

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"kith"
	"kith/client"
	"kith/internal/imports"
	"kith/internal/imports/importer"
	"kith/internal/network"
)

// previewTimeout is the maximum time to read files for a preview.
const previewTimeout = 30 * time.Second

// createImport answers POST /v2/imports.
func (s *Server) createImport(w http.ResponseWriter, r *http.Request) error {
	c := callerFrom(r.Context())
	if _, err := idempotencyKey(r.Header); err != nil { // before the files are received
		return err
	}
	if err := c.turn.reserve(r.Context(), c.turn.uploads, 1); err != nil {
		return err
	}
	u, err := c.dataset.Imports.Upload()
	if err != nil {
		return err
	}
	defer func() { _ = u.Close() }() // if this fails, a later clean-up removes it
	f, err := receive(w, r, u)
	if err == nil {
		err = c.dataset.Imports.Check(u, f.settings)
	}
	if err == nil {
		err = begin(r)
	}
	if err != nil {
		return err
	}
	switch {
	case f.dryRun:
		return previewImport(w, r, c, u, f.settings)
	case c.dataset.Demo:
		return kith.Errorf(kith.Forbidden, "DEMO_READ_ONLY",
			"the demo is shared, so files can only be previewed here, with dry_run; import them with your own token")
	}
	return s.writeOnce(w, r, write{
		dataset: c.dataset, owner: c.owner(), body: append(u.Fingerprint(), f.texts.Bytes()...),
		status:      http.StatusAccepted,
		aboutNobody: true,
		do: func(ctx context.Context, in *Services) (any, error) {
			m, err := in.Imports.Create(ctx, c.actor, u, f.settings)
			if err != nil {
				return nil, err
			}
			return newImportedAnswer(m), nil
		},
	})
}

// importedAnswer is an import as its user sees it.
type importedAnswer struct {
	ID       string         `json:"id"`
	Status   imports.Status `json:"status"`
	Progress int            `json:"progress"`
	imports.Report
	CreatedAt  time.Time          `json:"created_at"`
	FinishedAt *time.Time         `json:"finished_at"`
	Error      *client.EntryError `json:"error"`
}

func newImportedAnswer(m imports.Import) importedAnswer {
	out := importedAnswer{
		ID: m.ID, Status: m.Status, Progress: m.Progress, CreatedAt: m.Created, FinishedAt: timeOrNull(m.Finished),
	}
	out.Report = imports.Report{Files: []*imports.FileReport{}, Notes: []string{}}
	if m.Report != nil {
		out.Report = *m.Report
	}
	if m.Reason.Code != "" {
		out.Error = &client.EntryError{Code: m.Reason.Code, Message: m.Reason.Message}
	}
	return out
}

// previewAnswer describes the content of files.
type previewAnswer struct {
	// Complete is false if time ran out before everything was read.
	Complete bool `json:"complete"`
	// Problem says why nothing could be stored; empty if something could.
	Problem    string                `json:"problem"`
	Files      []*imports.FileReport `json:"files"`
	MoreFiles  int                   `json:"more_files"`
	Recognised imports.Totals        `json:"recognised"`
	People     []previewPerson       `json:"people"`
	Contacts   []previewContact      `json:"contacts"`
	Notes      []string              `json:"notes"`
}

// previewPerson is a person in the form to be stored.
type previewPerson struct {
	FullName  string        `json:"full_name"`
	Title     string        `json:"title"`
	Company   string        `json:"company"`
	Location  kith.Location `json:"location"`
	Emails    []string      `json:"emails"`
	SocialURL *string       `json:"social_url"`
	// Relationship and Since say how the user knows the person, if the file has that.
	Relationship string `json:"relationship"`
	Since        string `json:"since"`
}

// previewContact is the history of contact between the owner of the files and somebody.
type previewContact struct {
	With string `json:"with"`
	Kind string `json:"kind"`
	client.Contact
}

// previewImport answers with the content of the files.
func previewImport(w http.ResponseWriter, r *http.Request, c caller, u *imports.Upload,
	settings imports.Settings,
) error {
	ctx, cancel := context.WithTimeout(r.Context(), previewTimeout)
	defer cancel()
	look, err := c.dataset.Imports.DryRun(ctx, u, settings)
	if err != nil {
		return err
	}
	out := previewAnswer{
		Complete: look.Complete, Problem: look.Nothing, Files: look.Report.Files, MoreFiles: look.Report.MoreFiles,
		Recognised: look.Report.Recognised, People: []previewPerson{}, Contacts: []previewContact{},
		Notes: look.Report.Notes,
	}
	for i := range look.People {
		out.People = append(out.People, newPreviewPerson(&look.People[i]))
	}
	for _, h := range look.Contacts {
		out.Contacts = append(out.Contacts, previewContact{
			With: cmp.Or(h.With.Name, h.With.Email, h.With.SocialURL), Kind: h.Kind,
			Contact: newContact(network.History{
				Outgoing: h.Outgoing, Incoming: h.Incoming,
				First: network.DayOf(h.First), Last: network.DayOf(h.Last),
			}),
		})
	}
	respond(w, r, out)
	return nil
}

func newPreviewPerson(p *importer.Person) previewPerson {
	out := previewPerson{
		FullName: p.FullName, Location: p.Location, Emails: append([]string{}, p.Emails...),
		SocialURL: textOrNull(p.SocialURL),
	}
	if job := p.Present(); job != nil {
		out.Title, out.Company = job.Title, job.Company.Name
	}
	if p.Relationship != nil {
		out.Relationship, out.Since = p.Relationship.Kind, p.Relationship.Since
	}
	return out
}

// listImports answers GET /v2/imports.
func listImports(w http.ResponseWriter, r *http.Request) error {
	c := callerFrom(r.Context())
	return answerList(w, r, nil, newListing(c, "imports", "all"),
		readPage(func(below int64, n int) ([]imports.Import, error) {
			return c.dataset.Imports.List(r.Context(), c.actor, below, n)
		}), func(m imports.Import) (importedAnswer, int64) { return newImportedAnswer(m), m.Number })
}

// getImport answers GET /v2/imports/{id}.
func getImport(r *http.Request) (any, error) {
	c := callerFrom(r.Context())
	m, err := c.dataset.Imports.Get(r.Context(), c.actor, chi.URLParam(r, "id"))
	return newImportedAnswer(m), err
}

// deleteImport answers DELETE /v2/imports/{id}. A background task removes the imported data.
func deleteImport(w http.ResponseWriter, r *http.Request) error {
	c := callerFrom(r.Context())
	m, err := c.dataset.Imports.Delete(r.Context(), c.actor, chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusAccepted,
		success{Data: newImportedAnswer(m), Metadata: newMetadata(r.Context())})
	return nil
}
