package imports

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kith"
	"kith/internal/imports/importer"
)

// Service accepts files from users and reports on their imports. It is safe for concurrent use.
type Service struct {
	Store

	folder Folder
}

// NewService returns a service that stores files in a folder. The folder need not exist.
func NewService(store Store, folder Folder) *Service { return &Service{store, folder} }

// Upload creates an upload. Close it after use.
func (s *Service) Upload() (*Upload, error) { return s.folder.New() }

// Check returns what is wrong with an upload and its settings.
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

// DryRun is what a user sees before anything is stored.
type DryRun struct {
	Report *Report
	*Preview
	// Complete is false if the time ran out before all files were read.
	Complete bool
	// Nothing says why nothing could be stored; empty if something could.
	Nothing string
}

// DryRun reads an upload and stores nothing. If ctx reaches its deadline, the result covers what was read until then.
func (s *Service) DryRun(ctx context.Context, u *Upload, settings Settings) (*DryRun, error) {
	files, err := u.Files(settings)
	if err != nil {
		return nil, err
	}
	look := &DryRun{Preview: &Preview{}, Complete: true}
	report, err := importer.Run(ctx, files.Paths, files.Options, look.Preview)
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

// Create starts the import of an upload for a user.
func (s *Service) Create(ctx context.Context, a kith.Actor, u *Upload, settings Settings) (Import, error) {
	m, err := s.Store.Create(ctx, a, u.ID, settings, u.size)
	// The files stay even if the outcome is unknown: Tidy deletes unused uploads later.
	u.kept = kith.KindOf(err) != kith.RateLimited
	return m, err
}

// Nothing returns an error if files have nothing that could be stored.
func Nothing(r *importer.Report) error {
	if r.People+r.Companies+r.Histories > 0 || r.Owner.Name != "" {
		return nil
	}
	if reasons := r.Reasons(); len(reasons) > 0 {
		return fmt.Errorf("there is nothing to store; the most common reason, %s: %s",
			kith.Counted(reasons[0].N, "time", "times"), reasons[0].What)
	}
	for _, f := range r.Files {
		if f.Problem != "" {
			return fmt.Errorf("there is nothing to store: %s: %s", f.Name, f.Problem)
		}
	}
	return errors.New("there is nothing to store: no record was found")
}

// nothingIn says why nothing in the files can be stored. It makes file names relative to a folder.
func nothingIn(r *importer.Report, p *Preview, folder string) string {
	err := Nothing(r)
	switch {
	case err == nil && p.Storable() == 0 && len(p.Contacts) == 0 && r.Owner.Name == "":
		return "there is nothing to store: the files have no people, no companies and none of your contacts"
	case err == nil:
		return ""
	}
	text := asFields(err.Error())
	for _, f := range r.Files {
		text = strings.ReplaceAll(text, f.Name, nameBelow(folder, f.Name))
	}
	return text
}
