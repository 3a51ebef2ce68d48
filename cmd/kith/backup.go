package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"kith/internal/operation/backup"
)

// passphraseFlag is the passphrase for backups that are not encrypted for keys.
type passphraseFlag struct {
	Passphrase string `name:"backup-passphrase" env:"KITH_BACKUP_PASSPHRASE" placeholder:"TEXT"`
}

type backupCmd struct {
	To            string        `arg:""`
	Recipient     []string      `env:"KITH_BACKUP_RECIPIENT" placeholder:"KEY"`
	RecipientFile string        `env:"KITH_BACKUP_RECIPIENT_FILE" type:"existingfile" placeholder:"FILE"`
	Every         time.Duration `placeholder:"DURATION"`
	Keep          int           `default:"0"`
	passphraseFlag
}

// Run makes one backup, or repeats it until it is interrupted.
func (c *backupCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	to, err := backup.ParseRecipients(c.Recipient, c.RecipientFile, c.Passphrase)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return usageError(err)
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		if c.Every == 0 {
			return c.backUp(ctx, d, g, to)
		}
		tick := time.NewTicker(c.Every)
		defer tick.Stop()
		repeat(ctx, log, tick.C, func() error { return c.backUp(ctx, d, g, to) })
		return nil
	})
}

// check rejects contradictory flags.
func (c *backupCmd) check() error {
	info, err := os.Stat(c.To)
	folder := err == nil && info.IsDir()
	switch {
	case c.Every < 0 || c.Every > 0 && c.Every < time.Minute:
		return fmt.Errorf("--every must be at least 1m (got %s)", c.Every)
	case c.Keep < 0:
		return fmt.Errorf("--keep must not be negative (got %d)", c.Keep)
	case !folder && (c.Every > 0 || c.Keep > 0):
		return fmt.Errorf("--every and --keep need an existing directory (got %s)", c.To)
	case !folder && strings.HasSuffix(c.To, string(filepath.Separator)):
		return fmt.Errorf("there is no directory %s", c.To)
	}
	return nil
}

// repeat makes a backup now and at each tick. It logs failures, and the next backup is on time.
func repeat(ctx context.Context, log zerolog.Logger, ticks <-chan time.Time, once func() error) {
	for {
		if err := once(); err != nil && ctx.Err() == nil {
			log.Error().Err(err).Msg("the backup failed; the next one is tried on time")
		}
		select {
		case <-ticks:
		case <-ctx.Done():
			return
		}
	}
}

// backUp makes one backup and deletes old ones.
func (c *backupCmd) backUp(ctx context.Context, d *dataset, g *globals, to backup.Recipients) error {
	signer, err := d.keys.Signer()
	if err != nil {
		return err
	}
	write := func(out io.Writer) error {
		w, err := backup.NewWriter(out, signer, to...)
		if err == nil {
			err = d.db.Snapshot(release).Backup(ctx, w)
		}
		if err == nil {
			err = w.Close()
		}
		return err
	}
	note := func() error { return d.db.Operation().NoteBackup(ctx, len(to) > 0) } // without it, there is no backup
	if c.To == "-" {
		err := write(g.results)
		if err == nil {
			err = note()
		}
		if readerLeft(err) { // which is success elsewhere
			return errors.New("the backup is incomplete: its reader has ended")
		}
		return err
	}
	path := c.To
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, backup.Name(time.Now(), len(to) > 0))
	}
	began := time.Now()
	size, err := backup.WriteFile(path, write, note)
	if err != nil {
		return err
	}
	fmt.Fprintf(g.results, "%s: %d bytes in %s, signed by %s\n", path, size, time.Since(began).Round(time.Millisecond),
		backup.Signer(signer.Public().(ed25519.PublicKey)))
	if c.Keep == 0 {
		return nil
	}
	gone, err := backup.Prune(c.To, c.Keep)
	for _, name := range gone {
		fmt.Fprintf(g.results, "%s: deleted\n", filepath.Join(c.To, name))
	}
	return err
}

// newest returns the newest backup in a folder, or the file itself.
func newest(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("backup: %w", err)
	}
	if !info.IsDir() {
		return path, nil
	}
	name, err := backup.Newest(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no backup in %s", path)
	}
	return filepath.Join(path, name), err
}
