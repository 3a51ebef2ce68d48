package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rs/zerolog"

	"kith/internal/privacy"
)

// operator is who uses the command line, in the audit.
const operator = "operator"

// checkIdentifiers refuses blank ones, as a variable of a script that is not set makes them.
func checkIdentifiers(all ...string) error {
	for i, id := range all {
		if strings.TrimSpace(id) == "" {
			return fmt.Errorf("identifier %d is blank: name a person by profile URL, e-mail address, social identifier or id", i+1)
		}
	}
	return nil
}

type forgetCmd struct {
	Identifiers []string `arg:"" name:"identifier" help:"Profile URLs, e-mail addresses, social identifiers or ids."`
}

// Help is shown below the flags.
func (forgetCmd) Help() string {
	return `The person is erased from records, index, relationships and outreach. Keyed hashes of profile URL, e-mail
address and social identifier are kept, so that no load, import or refresh brings them back; a profile URL or an address of
someone who is not held is kept out too. Backups are yours to prune.

Example:
  kith forget https://social.example/in/jane-doe`
}

// Run forgets the people and says what became of each identifier.
func (c *forgetCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := checkIdentifiers(c.Identifiers...); err != nil {
		return misused(err)
	}
	return inDirectory(ctx, g, log, func(d *directory) error {
		results, err := privacy.New(d.db).Forget(ctx, c.Identifiers, operator)
		if err != nil {
			err = fmt.Errorf("%s, and whoever is named behind it: %w", c.Identifiers[len(results)], err)
		}
		failed := 0
		for _, r := range results {
			if r.Status == privacy.Failed {
				failed++
				fmt.Fprintf(g.results, "%s: failed: %s\n", r.Identifier, r.Message)
				continue
			}
			fmt.Fprintf(g.results, "%s: %s\n", r.Identifier, r.Status)
		}
		if err := d.level(ctx, err); err != nil {
			return err
		}
		if failed > 0 {
			return fmt.Errorf("%d of %d identifiers named nobody", failed, len(results))
		}
		return nil
	})
}

type exportSubjectCmd struct {
	Identifier string `arg:"" help:"Profile URL, e-mail address, social identifier or id."`
}

// Help is shown below the flags.
func (exportSubjectCmd) Help() string {
	return `Example:
  kith export-subject jane@example.com > jane.json`
}

// Run prints what is held.
func (c *exportSubjectCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := checkIdentifiers(c.Identifier); err != nil {
		return misused(err)
	}
	return inDirectory(ctx, g, log, func(d *directory) error {
		dossier, err := privacy.New(d.db).Export(ctx, c.Identifier, operator)
		if err != nil {
			return err
		}
		out := json.NewEncoder(g.results)
		out.SetIndent("", "  ")
		return out.Encode(dossier)
	})
}
