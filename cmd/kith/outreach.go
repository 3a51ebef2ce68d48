package main

import (
	"context"
	"crypto/hkdf"
	"crypto/sha512"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"kith"
	kithhttp "kith/http"
	"kith/internal/access/netguard"
	"kith/internal/demo"
	"kith/internal/outreach"
	"kith/internal/outreach/mail"
	"kith/internal/postgres"
	outreachsql "kith/internal/postgres/outreach"
	"kith/query/cursor"
)

// deliveryFlags configure the sending of e-mails.
type deliveryFlags struct {
	PublicURL string `name:"public-url" env:"KITH_PUBLIC_URL" placeholder:"URL"`
	networkFlags
	CredentialKey string `env:"KITH_CREDENTIAL_KEY" placeholder:"SECRET"`
}

// networkFlags configure connections to addresses that others choose.
type networkFlags struct {
	AllowNetwork []cidr `env:"KITH_ALLOW_NETWORK" placeholder:"CIDR"`
}

func (f networkFlags) guard() netguard.Guard {
	var g netguard.Guard
	for _, n := range f.AllowNetwork {
		g.Allow = append(g.Allow, n.Prefix)
	}
	return g
}

// minSecret is the minimum length of the secret that encrypts passwords.
const minSecret = 32

// check validates the flags before anything is opened.
func (f deliveryFlags) check() error {
	u, err := url.Parse(f.PublicURL)
	if f.PublicURL != "" && (err != nil || u.Scheme != "https" || u.Host == "" || u.RawQuery != "") {
		return errors.New("--public-url must be an HTTPS address such as https://kith.example.com: mail programs " +
			"unsubscribe over no other")
	}
	if f.CredentialKey != "" && len(f.CredentialKey) < minSecret {
		return fmt.Errorf("--credential-key must have at least %d characters", minSecret)
	}
	return nil
}

// vault returns the sealer that encrypts the passwords of mail servers.
func (f deliveryFlags) vault(d *dataset) (*cursor.Sealer, error) {
	if f.CredentialKey == "" {
		return d.sealer, nil
	}
	key, err := hkdf.Key(sha512.New, []byte(f.CredentialKey), nil, "kith credentials 1", cursor.KeySize)
	if err != nil {
		return nil, fmt.Errorf("credential key: %w", err)
	}
	return cursor.New(key)
}

// delivery sends e-mails and webhooks.
type delivery struct {
	flags     deliveryFlags
	vault     *cursor.Sealer
	store     *outreachsql.Delivery
	worker    *outreach.Worker
	announcer *outreach.Announcer
}

// newDelivery returns the senders of a dataset. The demo never sends anything.
func (f deliveryFlags) newDelivery(d *dataset, log zerolog.Logger) (delivery, error) {
	vault, err := f.vault(d)
	if err != nil {
		return delivery{}, err
	}
	store := d.db.Delivery(vault)
	cfg := outreach.WorkerConfig{
		Outbox: store, Cases: d.db.Outreach(), Mailer: mail.Sender{Guard: f.guard()}, Log: log,
	}
	if f.PublicURL != "" {
		base := strings.TrimSuffix(f.PublicURL, "/")
		cfg.Links = func(user, email int64, to string) outreach.Links {
			return kithhttp.EmailLinks(d.sealer, base, user, email, to)
		}
	}
	return delivery{f, vault, store, outreach.NewWorker(cfg), d.announcer(store, f.networkFlags, log)}, nil
}

// offer lets users manage what is sent.
func (s delivery) offer(served *kithhttp.Services, db *postgres.DB) {
	store := db.Delivery(s.vault)
	rules := outreach.IntegrationRules{Track: s.flags.PublicURL != "", Reachable: s.flags.guard().AllowsHost}
	served.Integrations = outreach.NewIntegrations(store, rules)
	served.Webhooks = outreach.NewWebhooks(store, s.announcer, s.flags.guard().Resolves)
}

// givenSequences returns the first sequences of users of the demo; nil for the live dataset.
func (d *dataset) givenSequences() func(now time.Time) ([]outreach.Loaded, error) {
	if !d.demo {
		return nil
	}
	generated := sync.OnceValues(func() (*demo.Dataset, error) { return demo.New(demo.Default()) })
	return func(now time.Time) ([]outreach.Loaded, error) {
		dir, err := generated()
		if err != nil {
			return nil, err
		}
		return dir.Sequences(now)
	}
}

// newOutreach returns the service for sequences, which first gives each user some; given is nil for none.
func newOutreach(db *postgres.DB, given func(time.Time) ([]outreach.Loaded, error)) *outreach.Service {
	store := db.Outreach()
	cfg := outreach.Config{Store: store, People: db}
	if given != nil {
		cfg.Prepare = func(ctx context.Context, a kith.Actor) error { return store.Seed(ctx, a.UserID, given) }
	}
	return outreach.New(cfg)
}
