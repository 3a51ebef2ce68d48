package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/rs/zerolog"

	"kith/internal/postgres/operation"
)

// announceEvery is how often a server announces itself.
const announceEvery = 15 * time.Second

// process describes this server to others on the database: the settings that should be the
// same everywhere. Secrets appear as short hashes.
func (c *serveCmd) process(g *globals, d *dataset) operation.Process {
	host, _ := os.Hostname() // empty if unknown
	return operation.Process{
		ID: ulid.Make().String(), Host: host, PID: os.Getpid(), Version: release + " (" + commit() + ")",
		Started: time.Now().UTC(),
		Settings: map[string]string{
			"--rate": fmt.Sprint(c.Rate), "--burst": fmt.Sprint(c.Burst), "--import-quota": fmt.Sprint(c.ImportQuota),
			"--list-quota": fmt.Sprint(c.ListQuota), "--search-quota": fmt.Sprint(c.SearchQuota),
			"--import-dir": c.ImportDir, "--count-cap": fmt.Sprint(c.CountCap), "--token-ttl": c.TokenTTL.String(),
			"--public-url": c.PublicURL, "--credential-key": fingerprint(c.CredentialKey),
			"--allow-network": networks(c.AllowNetwork),
			"--allow-origin":  strings.Join(originsOf(c.AllowOrigin), ","),
			"--refresh-after": time.Duration(c.RefreshAfter).String(),
			"--source-url":    c.SourceURL, "--source-dir": c.SourceDir, "KITH_SOURCE_KEY": fingerprint(c.SourceKey),
			"--elasticsearch-url": engineName(g), "--elasticsearch-prefix": g.ElasticsearchPrefix,
			"--llm-url": g.LLMURL, "--llm-model": g.LLMModel, "master key": d.keys.Master,
		},
	}
}

// engineName returns whether there is an Elasticsearch. It does not compare addresses,
// because servers may name the nodes of one cluster differently.
func engineName(g *globals) string {
	if g.ElasticsearchURL == "" {
		return "none"
	}
	return "some"
}

func networks(all []cidr) string {
	names := make([]string, len(all))
	for i, n := range all {
		names[i] = n.String()
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}

// fingerprint returns a short hash to compare secrets.
func fingerprint(secret string) string {
	if secret == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("kith fingerprint 1 " + secret))
	return hex.EncodeToString(sum[:4])
}

// announce announces this server until ctx ends, and logs differences between its settings and those of others.
func (c *serveCmd) announce(ctx context.Context, g *globals, d *dataset, log zerolog.Logger) error {
	self := c.process(g, d)
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = d.db.Operation().Withdraw(ctx, self.ID) // otherwise it is forgotten after 45 seconds
	}()
	logged := map[string]bool{}
	announce := func() {
		others, err := []operation.Process(nil), d.db.Operation().Announce(ctx, self)
		if err == nil {
			others, err = d.db.Operation().Processes(ctx)
		}
		if err != nil && ctx.Err() == nil {
			log.Debug().Err(err).Msg("cannot announce this server to others")
		}
		for _, other := range others {
			if diff := differences(self, other); len(diff) > 0 && !logged[other.ID] {
				logged[other.ID] = true
				log.Warn().Str("other", name(other)).Strs("differences",
					diff).Msg("another server on this database has different settings")
			}
		}
	}
	announce()
	for range ticks(ctx, announceEvery) {
		announce()
	}
	return ctx.Err()
}

func name(p operation.Process) string { return fmt.Sprintf("%s, pid %d", p.Host, p.PID) }

// differences describes the settings in which two servers differ.
func differences(a, b operation.Process) []string {
	all := a.Differences(b)
	var out []string
	for _, setting := range slices.Sorted(maps.Keys(all)) {
		out = append(out, fmt.Sprintf("%s is %q and %q", setting, all[setting][0], all[setting][1]))
	}
	return out
}

// processes checks that all servers on the database have the same settings.
func (r *report) processes(ctx context.Context, d *dataset) {
	all, err := d.db.Operation().Processes(ctx)
	for _, p := range all {
		if diff := differences(all[0], p); err == nil && len(diff) > 0 {
			err = fmt.Errorf("%s and %s differ: %s", name(all[0]), name(p), strings.Join(diff, "; "))
		}
	}
	r.check(fmt.Sprintf("servers running: %d, with the same settings", len(all)), err,
		"start all servers on one database with the same flags and version")
}
