package crash_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/access/auth"
	"kith/internal/imports"
	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/test/expect"
)

// A user's address book, with namesakes at other companies, is imported.
func TestCrashedImportsCanBeRepeated(t *testing.T) {
	const before, rows = 5, 24
	fill := filling(before, func(ctx context.Context, d *dataset) error {
		svc := auth.New(d.Auth(), auth.Config{})
		app, _, err := svc.CreateApp(ctx, "acme")
		if err == nil {
			_, err = svc.Issue(ctx, app, auth.Identity{ExternalID: "u1", Email: "u1@acme.example"})
		}
		return err
	})
	imported := operation{template: "crash_import", fill: fill, try: func(t *testing.T, round int) (
		func(context.Context, servers) error, func(*testing.T, servers, bool),
	) {
		book, all := addressBook(t, round*rows, rows), (round+1)*rows
		do := func(ctx context.Context, d *dataset) error { _, err := d.importBook(ctx, t, book); return err }
		return doing(do), func(t *testing.T, at servers, acknowledged bool) {
			d := again(t, at)
			complete := func(when string) {
				d.holds(t, when, before+all)
				expect.Values(t, "relationships "+when, []any{d.count(t, "select count(*) from relationships")}, all)
			}
			if acknowledged {
				complete("after an acknowledged import")
			}
			expect.NoError(t, do(t.Context(), d))
			complete("after the second import")
			known, err := d.importBook(t.Context(), t, book)
			expect.NoError(t, err)
			expect.Values(t, "relationships that a third import creates, changes and leaves",
				[]any{known.Created, known.Updated, known.Unchanged}, int64(0), int64(0), int64(rows))
			complete("after the third import")
		}
	}}
	imported.onPostgres(t)
	imported.onElasticsearch(t)
}

// addressBook is a CSV file of people with numbers from some on, of whom one in three has a namesake.
func addressBook(t *testing.T, from, rows int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("First Name,Last Name,E-mail Address,Company,Job Title\n")
	for i := range rows {
		fmt.Fprintf(&b, "Given%d,Family%[1]d,g%d@book%d.example,Book Example %[3]d,Engineer\n",
			from+i%(rows*2/3), from+i, i%5)
	}
	path := filepath.Join(t.TempDir(), "book.csv")
	expect.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	return path
}

// importBook imports a file for the user as kith import does.
func (d *dataset) importBook(ctx context.Context, t *testing.T, path string) (imports.Known, error) {
	spool, _, err := imports.Files{Paths: []string{path}}.Read(ctx, &imports.Preview{},
		filepath.Join(t.TempDir(), "spool"))
	if err != nil {
		return imports.Known{}, err
	}
	defer func() { _ = spool.Close() }() // temporary files
	nets := d.Network()
	user, err := nets.EnsureUser(ctx, "acme", "u1")
	if err != nil {
		return imports.Known{}, err
	}
	owner, err := nets.UserOwner(ctx, user)
	if err != nil {
		return imports.Known{}, err
	}
	origin, load := record.OwnedBy(owner), loader.New(d)
	for _, kind := range []record.Kind{record.Companies, record.People} {
		if _, err := spool.Store(ctx, load, origin, kind, nil, imports.Storing{}); err != nil {
			return imports.Known{}, err
		}
	}
	known, err := spool.StoreContacts(ctx, load, origin, nets, user, nil)
	if err == nil {
		err = d.drain(ctx)
	}
	return known, err
}
