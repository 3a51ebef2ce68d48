package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/rs/zerolog"

	"kith/internal/access/keys"
	"kith/internal/operation/backup"
)

type keysCmd struct {
	Show   keysShowCmd   `cmd:"" default:"withargs"`
	Rotate keysRotateCmd `cmd:""`
	Move   keysMoveCmd   `cmd:"" creates:"dataset"`
	Reseal keysResealCmd `cmd:""`
}

type keysShowCmd struct{ listFlags }

type sealingKeyRow struct {
	Key  string    `json:"key"`
	Made time.Time `json:"made,omitzero"`
	Use  string    `json:"use"`
}

// Run prints the keys, without their secrets.
func (c *keysShowCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return inDataset(ctx, g, log, func(d *dataset) error {
		where := "in the database, in plain"
		if d.keys.Master != "" {
			where = "in the database, sealed with master key " + d.keys.Master
		}
		signer, err := d.keys.Signer()
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "the keys are %s\nbackups are signed by %s\n", where,
			backup.Signer(signer.Public().(ed25519.PublicKey)))
		return printList(g.results, c.listFlags, sealingKeys(d.keys.Ring()),
			func(r sealingKeyRow) sealingKeyRow { return r })
	})
}

// sealingKeys lists the keys of a ring, the one that seals first.
func sealingKeys(ring keys.Ring) (rows []sealingKeyRow) {
	if next := ring.Next; next != nil {
		rows = append(rows, sealingKeyRow{
			fmt.Sprint(next.ID), next.Made, "opens, and will seal: a rotation is in progress or was interrupted",
		})
	}
	for i, k := range ring.Keys {
		use := "opens"
		if i == 0 {
			use = "seals"
		}
		rows = append(rows, sealingKeyRow{fmt.Sprint(k.ID), k.Made, use})
	}
	return append(rows, sealingKeyRow{Key: "ids", Use: "makes identifiers, and never changes"},
		sealingKeyRow{Key: "suppression", Use: "hashes the names of erased people, and never changes"},
		sealingKeyRow{Key: "signing", Use: "authenticates the audit and backups, and never changes"})
}

type keysRotateCmd struct {
	Drop          bool
	CredentialKey string `env:"KITH_CREDENTIAL_KEY" placeholder:"SECRET"`

	Settle time.Duration `hidden:"" default:"6s"`
}

// Run rotates the keys.
func (c *keysRotateCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return inDataset(ctx, g, log, func(d *dataset) error {
		secrets := keys.OfKith | keys.OfOthers
		if c.CredentialKey != "" {
			secrets = keys.OfKith
		}
		n, err := d.keys.Rotate(ctx, keys.Rotation{
			Settle: c.Settle, Drop: c.Drop, Secrets: secrets,
			Progress: func(what string) { fmt.Fprintln(os.Stderr, what) },
		})
		if err == nil {
			fmt.Fprintf(g.results, "key %d seals; %d stored values resealed\n", d.keys.Ring().Keys[0].ID, n)
		}
		return err
	})
}

type keysMoveCmd struct {
	ToFile     string `type:"existingfile" placeholder:"FILE"`
	ToCommand  string `placeholder:"COMMAND"`
	ToEnv      string `placeholder:"NAME"`
	ToDatabase bool
}

// Run moves the keys.
func (c *keysMoveCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	to := keys.MasterSource{File: c.ToFile, Command: c.ToCommand, Secret: os.Getenv(c.ToEnv)}
	if c.ToEnv != "" && to.Secret == "" {
		return usageError(fmt.Errorf("the environment has no %s", c.ToEnv))
	}
	master, err := to.Master(ctx)
	if err == nil && (master == nil) != c.ToDatabase {
		err = errors.New("name one new source: --to-file, --to-command, --to-env or --to-database")
	}
	if err == nil && g.Demo {
		err = errors.New("the keys of the demo are never sealed with a master key: nothing in it is secret")
	}
	if err != nil {
		return usageError(err)
	}
	if named, err := g.masterKey().Master(ctx); err == nil && named != nil && master != nil &&
		named.Fingerprint == master.Fingerprint {
		g.MasterKeyFile, g.MasterKeyCommand, g.masterKeySecret = "", "", "" // this is the new key, not the current one
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		if err := d.keys.Move(ctx, master); err != nil {
			return err
		}
		if master == nil {
			fmt.Fprintln(g.results, "the keys are in the database, unsealed")
		} else {
			fmt.Fprintf(g.results, "the keys are sealed with master key %s\n", master.Fingerprint)
		}
		return nil
	})
}

type keysResealCmd struct {
	CredentialKey    string `env:"KITH_CREDENTIAL_KEY" placeholder:"SECRET"`
	OldCredentialKey string `env:"KITH_OLD_CREDENTIAL_KEY" placeholder:"SECRET"`
}

// Run seals the secrets with the new key.
func (c *keysResealCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	from, to := deliveryFlags{CredentialKey: c.OldCredentialKey}, deliveryFlags{CredentialKey: c.CredentialKey}
	if err := errors.Join(from.check(), to.check()); err != nil {
		return usageError(err)
	}
	if c.OldCredentialKey == c.CredentialKey {
		return usageError(errors.New("--credential-key and --old-credential-key are the same: there is nothing to do"))
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		before, err := from.vault(d)
		if err != nil {
			return err
		}
		after, err := to.vault(d)
		if err != nil {
			return err
		}
		n, closed, err := d.db.Keys().Reseal(ctx, keys.OfOthers, before, after)
		fmt.Fprintf(g.results, "%d passwords and secrets resealed\n", n)
		if err == nil && closed > 0 {
			err = fmt.Errorf("%d do not open with the old key and were left unchanged", closed)
		}
		return err
	})
}
