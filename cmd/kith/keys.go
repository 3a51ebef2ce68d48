package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/rs/zerolog"

	"kith/internal/keys"
)

type keysCmd struct {
	Show   keysShowCmd   `cmd:"" needs:"directory" default:"1" help:"Show which sealing keys there are."`
	Rotate keysRotateCmd `cmd:"" help:"Seal with a new key, and seal anew what is stored."`
	Move   keysMoveCmd   `cmd:"" help:"Seal the keys with a master key that is kept outside of the database, or with another one."`
	Reseal keysResealCmd `cmd:"" help:"Seal passwords and secrets of mail servers and webhooks anew after --credential-key was changed."`
}

type keysShowCmd struct{}

// Run prints the keys, without their secrets.
func (keysShowCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return inDirectory(ctx, g, log, func(d *directory) error {
		where := "in the database, in plain"
		if d.keys.Master != "" {
			where = "in the database, sealed with master key " + d.keys.Master
		}
		fmt.Fprintln(g.results, "the keys are "+where)
		ring := d.keys.Ring()
		return table(g, "KEY\tMADE\tUSE", func(row func(...any)) error {
			if ring.Next != nil {
				row(ring.Next.ID, minute(ring.Next.Made), "opens, and will seal: a rotation is under way, or was broken off")
			}
			for i, k := range ring.Keys {
				use := "opens"
				if i == 0 {
					use = "seals"
				}
				row(k.ID, minute(k.Made), use)
			}
			row("ids", "", "makes identifiers, and never changes")
			row("suppression", "", "hashes the names of erased people, and never changes")
			return nil
		})
	})
}

type keysRotateCmd struct {
	Drop          bool   `help:"Forget older keys: cursors, and links in e-mails that were sent, are then refused. For keys that leaked."`
	CredentialKey string `help:"The secret that serve has under the same name." env:"KITH_CREDENTIAL_KEY" placeholder:"SECRET"`

	Settle time.Duration `hidden:"" default:"6s"`
}

// Help is shown below the flags.
func (keysRotateCmd) Help() string {
	return `Servers go on meanwhile: they know the new key before anything is sealed with it. Older keys still open the
cursors and links that were given out, unless --drop forgets them. Identifiers stay as they are.`
}

// Run rotates the keys.
func (c *keysRotateCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return inDirectory(ctx, g, log, func(d *directory) error {
		secrets := keys.OfKith | keys.OfOthers
		if c.CredentialKey != "" {
			secrets = keys.OfKith
		}
		n, err := d.keys.Rotate(ctx, keys.Rotation{
			Settle: c.Settle, Drop: c.Drop, Secrets: secrets,
			Progress: func(what string) { fmt.Fprintln(os.Stderr, what) },
		})
		if err == nil {
			fmt.Fprintf(g.results, "key %d seals; %d stored values are sealed anew\n", d.keys.Ring().Keys[0].ID, n)
		}
		return err
	})
}

type keysMoveCmd struct {
	ToFile     string `help:"File with the new master key, of at least 32 characters." type:"existingfile" placeholder:"FILE"`
	ToCommand  string `help:"Command that prints it." placeholder:"COMMAND"`
	ToEnv      string `help:"Environment variable that has it." placeholder:"NAME"`
	ToDatabase bool   `help:"Use no master key: the keys lie in the database in plain."`
}

// Help is shown below the flags.
func (keysMoveCmd) Help() string {
	return `From then on each command and server needs the new master key: with --master-key-file, --master-key-command,
or KITH_MASTER_KEY. Servers that run go on with what they know. Keep the master key apart from backups: without it
they open nothing that is sealed.

Example:
  openssl rand -base64 32 > master.key
  kith keys move --to-file master.key
  kith serve --master-key-file master.key`
}

// Run moves the keys.
func (c *keysMoveCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	to := keys.Place{File: c.ToFile, Command: c.ToCommand, Secret: os.Getenv(c.ToEnv)}
	if c.ToEnv != "" && to.Secret == "" {
		return misused(fmt.Errorf("the environment has no %s", c.ToEnv))
	}
	master, err := to.Master(ctx)
	if err == nil && (master == nil) != c.ToDatabase {
		err = errors.New("name one new place: --to-file, --to-command, --to-env or --to-database")
	}
	if err == nil && g.Demo {
		err = errors.New("the keys of the demo are never sealed with a master key: nothing in it is secret")
	}
	if err != nil {
		return misused(err)
	}
	if named, err := g.masterKey().Master(ctx); err == nil && named != nil && master != nil &&
		named.Fingerprint == master.Fingerprint {
		g.MasterKeyFile, g.MasterKeyCommand, g.masterKeySecret = "", "", "" // it is the new one, not the present one
	}
	return inDirectory(ctx, g, log, func(d *directory) error {
		if err := d.keys.Move(ctx, master); err != nil {
			return err
		}
		if master == nil {
			fmt.Fprintln(g.results, "the keys lie in the database, in plain")
		} else {
			fmt.Fprintf(g.results, "the keys are sealed with master key %s\n", master.Fingerprint)
		}
		return nil
	})
}

type keysResealCmd struct {
	CredentialKey    string `help:"The new secret, that serve gets under the same name; empty is the sealing key in the database." env:"KITH_CREDENTIAL_KEY" placeholder:"SECRET"`
	OldCredentialKey string `help:"The former one; empty is the sealing key in the database." env:"KITH_OLD_CREDENTIAL_KEY" placeholder:"SECRET"`
}

// Help is shown below the flags.
func (keysResealCmd) Help() string {
	return `Stop servers before, and start them with the new --credential-key afterwards: those with the old one cannot
read what is sealed anew, and send nothing.`
}

// Run seals the secrets anew.
func (c *keysResealCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	from, to := deliveryFlags{CredentialKey: c.OldCredentialKey}, deliveryFlags{CredentialKey: c.CredentialKey}
	if err := errors.Join(from.check(), to.check()); err != nil {
		return misused(err)
	}
	if c.OldCredentialKey == c.CredentialKey {
		return misused(errors.New("--credential-key and --old-credential-key are the same: there is nothing to do"))
	}
	return inDirectory(ctx, g, log, func(d *directory) error {
		before, err := from.vault(d)
		if err != nil {
			return err
		}
		after, err := to.vault(d)
		if err != nil {
			return err
		}
		n, closed, err := d.db.Keys().Reseal(ctx, keys.OfOthers, before, after)
		fmt.Fprintf(g.results, "%d passwords and secrets are sealed anew\n", n)
		if err == nil && closed > 0 {
			err = fmt.Errorf("%d do not open with the old key and stay as they are", closed)
		}
		return err
	})
}
