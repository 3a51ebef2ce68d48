package main

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/operation/backup"
	"kith/internal/postgres/operation"
)

type restoreCmd struct {
	From     string `arg:""`
	Identity string `env:"KITH_BACKUP_IDENTITY" type:"existingfile" placeholder:"FILE"`
	Signer   string `env:"KITH_BACKUP_SIGNER" placeholder:"KEY"`
	Force    bool
	Check    bool
	NoIndex  bool
	passphraseFlag
}

// Run restores a backup.
func (c *restoreCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	r, end, err := c.open()
	if err != nil {
		return err
	}
	defer end()
	known, err := c.signer(ctx, g)
	if err == nil && (known != nil || !c.Check) {
		err = r.RequireSigner(known)
	}
	if err != nil {
		return usageError(err)
	}
	m := r.Manifest
	if c.Check {
		if err := r.Each(func(backup.Table, io.Reader) error { return nil }); err != nil {
			return err
		}
		fmt.Fprintf(g.results, "the backup of %s, signed by %s, is complete: %s\n", m.Created.Format(time.RFC3339),
			m.Signer, contents(r))
		return nil
	}
	s, err := newSystem(g, log)
	if err != nil {
		return err
	}
	unlock, err := g.lockServer("kith restore")
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.start(ctx); err != nil {
		return err
	}
	defer s.close()
	if err := c.restore(ctx, s, g, r); err != nil {
		return s.explainOutage(err)
	}
	fmt.Fprintf(g.results, "restored to %s: %s\n", m.Created.Format(time.RFC3339), contents(r))
	return nil
}

// signer returns the key that must have signed the backup: the named one, or that of the master key; nil if unknown.
func (c *restoreCmd) signer(ctx context.Context, g *globals) (ed25519.PublicKey, error) {
	if c.Signer != "" {
		return backup.ParseSigner(c.Signer)
	}
	master, err := g.masterKey().Master(ctx)
	if err != nil || master == nil || g.Demo {
		return nil, err
	}
	return master.Signer.Public().(ed25519.PublicKey), nil
}

// contents counts the main records of a backup.
func contents(r *backup.Reader) string {
	sums := r.Sums()
	return kith.Counted(sums["people"].Rows, "person", "people") + ", " +
		kith.Counted(sums["companies"].Rows, "company", "companies") + ", " +
		kith.Counted(sums["users"].Rows, "user", "users")
}

// open reads the beginning of the backup.
func (c *restoreCmd) open() (r *backup.Reader, end func(), err error) {
	ids, err := backup.Identities(c.Identity, c.Passphrase)
	if err != nil {
		return nil, nil, usageError(err)
	}
	from := os.Stdin
	if c.From != "-" {
		path, err := newest(c.From)
		if err != nil {
			return nil, nil, err
		}
		if from, err = os.Open(path); err != nil {
			return nil, nil, fmt.Errorf("backup: %w", err)
		}
	}
	if r, err = backup.NewReader(from, ids...); err != nil {
		from.Close()
		return nil, nil, err
	}
	return r, func() { r.Close(); from.Close() }, nil
}

// restore fills the tables, migrates them to this version and builds the index.
func (c *restoreCmd) restore(ctx context.Context, s *system, g *globals, r *backup.Reader) error {
	schema := liveSchema
	if g.Demo {
		schema = demoSchema
	}
	if err := operation.Restore(ctx, s.dsn, r, operation.RestoreOptions{Schema: schema, Replace: c.Force}); err != nil {
		return err
	}
	d, err := s.dataset(ctx, g.Demo)
	if err == nil {
		err = d.db.Audit().
			Note(ctx, kith.OperatorPrincipal(), "backup.restored", "", map[string]any{"of": r.Manifest.Created})
	}
	if err == nil {
		err = warnDueEmails(ctx, d, r.Manifest.Created)
	}
	if err != nil {
		return fmt.Errorf("the records are restored, but cannot be opened: %w", err)
	}
	if c.NoIndex {
		return nil
	}
	if err := d.reindex(ctx, "index"); err != nil {
		return fmt.Errorf("the records are restored, but the index is not built (kith serve will build it): %w", err)
	}
	return nil
}

// warnDueEmails prints how many e-mails a server would send immediately.
func warnDueEmails(ctx context.Context, d *dataset, taken time.Time) error {
	n, err := d.db.Operation().DueAfterRestore(ctx)
	if err == nil && n > 0 {
		fmt.Fprintf(os.Stderr, "%d e-mails are due, and some may have been sent since %s: kith serve sends them "+
			"unless "+"their sequences are paused before\n",
			n, taken.Format(time.RFC3339))
	}
	return err
}
