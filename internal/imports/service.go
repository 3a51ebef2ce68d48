package imports

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kith"
	"kith/internal/importer"
)

// Service takes files from users and says what became of them. It is safe for concurrent
// use.
type Service struct {
	store  Store
	folder Folder
}

// NewService returns a service that keeps files in a folder, which need not be there yet.
func NewService(store Store, folder Folder) *Service { return &Service{store, folder} }

// Upload makes a place for files. It is to be closed.
func (s *Service) Upload() (*Upload, error) { return s.folder.New() }

// Check says what is wrong with an upload and how it is to be read.
func (s *Service) Check(u *Upload, settings Settings) error {
	var wrong []kith.FieldError
	add := func(field string, err error) {
		if err != nil {
			wrong = append(wrong, kith.FieldError{Field: field, Code: "INVALID_VALUE", Message: err.Error()})
		}
	}
	if u.size.Files == 0 {
		wrong = append(wrong, kith.FieldError{Field: "file", Code: "REQUIRED", Message: "must be a file to import"})
	}
	add("format", importer.Options{Format: settings.Format}.Check())
	add("encoding", importer.Options{Encoding: settings.Encoding}.Check())
	_, err := u.Files(settings)
	add("map", err)
	return kith.InvalidFields(wrong)
}

// Look is what a user sees before anything is stored.
type Look struct {
	Report *Report
	*Preview
	// Complete is false where the time was up before all was read.
	Complete bool
	// Nothing says why nothing could be stored; empty where something could.
	Nothing string
}

// Look reads an upload and stores nothing. Where the deadline of ctx comes first, it has
// what was read until then.
func (s *Service) Look(ctx context.Context, u *Upload, settings Settings) (*Look, error) {
	files, err := u.Files(settings)
	if err != nil {
		return nil, err
	}
	look := &Look{Preview: &Preview{}, Complete: true}
	report, err := files.Look(ctx, look.Preview)
	if errors.Is(err, context.DeadlineExceeded) {
		look.Complete, err = false, nil
	}
	if err != nil {
		return nil, err
	}
	look.Report = newReport(report, look.Preview, u.filesDir())
	if look.Complete {
		look.Nothing = nothingIn(report, look.Preview, u.filesDir())
	}
	return look, nil
}

// Create has an upload imported for a user.
func (s *Service) Create(ctx context.Context, a kith.Actor, u *Upload, settings Settings) (Import, error) {
	// Also where the outcome is not known: what no import waits for is dropped later.
	u.kept = true
	return s.store.Create(ctx, a.UserID, u.ID, settings, u.size)
}

// Get returns an import of a user.
func (s *Service) Get(ctx context.Context, a kith.Actor, id string) (Import, error) {
	return s.store.Get(ctx, a.UserID, id)
}

// List returns up to n imports of a user with numbers below one, the newest first; 0 is the
// start.
func (s *Service) List(ctx context.Context, a kith.Actor, below int64, n int) ([]Import, error) {
	return s.store.List(ctx, a.UserID, below, n)
}

// Delete takes an import back.
func (s *Service) Delete(ctx context.Context, a kith.Actor, id string) (Import, error) {
	return s.store.Delete(ctx, a.UserID, id)
}

// Nothing returns an error where files hold nothing that could be stored.
func Nothing(r *importer.Report) error {
	if r.People+r.Companies+r.Histories > 0 || r.Owner.Name != "" {
		return nil
	}
	if reasons := r.Reasons(); len(reasons) > 0 {
		return fmt.Errorf("there is nothing to store; the most common reason, %d times: %s", reasons[0].N, reasons[0].What)
	}
	for _, f := range r.Files {
		if f.Problem != "" {
			return fmt.Errorf("there is nothing to store: %s: %s", f.Name, f.Problem)
		}
	}
	return errors.New("there is nothing to store: no record was found")
}

// nothingIn says why nothing of files can be stored, with their names below a folder.
func nothingIn(r *importer.Report, p *Preview, folder string) string {
	err := Nothing(r)
	switch {
	case err == nil && p.Storable() == 0 && len(p.Contacts) == 0 && r.Owner.Name == "":
		return "there is nothing to store: the files hold no people, no companies and no contacts of yours"
	case err == nil:
		return ""
	}
	text := asFields(err.Error())
	for _, f := range r.Files {
		text = strings.ReplaceAll(text, f.Name, nameBelow(folder, f.Name))
	}
	return text
}
