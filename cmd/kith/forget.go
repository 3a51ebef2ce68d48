package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/record/privacy"
)

// checkIdentifiers rejects blank identifiers, which an unset script variable would produce.
func checkIdentifiers(all ...string) error {
	for i, id := range all {
		if strings.TrimSpace(id) == "" {
			return fmt.Errorf("identifier %d is blank: name a person by profile URL, e-mail address, social "+
				"identifier or id", i+1)
		}
	}
	return nil
}

type forgetCmd struct {
	Identifiers []string `arg:"" name:"identifier"`
	asks
	Now bool
}

// Run erases the people and prints the outcome for each identifier.
func (c *forgetCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := checkIdentifiers(c.Identifiers...); err != nil {
		return usageError(err)
	}
	if err := c.confirm(c.question()); err != nil {
		return err
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		results, err := c.forget(ctx, d.privacy())
		if err != nil {
			err = fmt.Errorf("%s and the identifiers after it: %w", c.Identifiers[len(results)], err)
		}
		failed := 0
		for _, r := range results {
			if r.Status == privacy.Failed {
				failed++
				fmt.Fprintf(g.results, "%s: failed: %s\n", r.Identifier, r.Message)
				continue
			}
			fmt.Fprintf(g.results, "%s: %s%s\n", r.Identifier, r.Status, cancelUntil(r))
		}
		if err := d.updateIndex(ctx, err); err != nil {
			return err
		}
		if failed > 0 {
			return fmt.Errorf("%d of %d identifiers were not erased", failed, len(results))
		}
		return nil
	})
}

func (c *forgetCmd) question() string {
	who := kith.Counted(int64(len(c.Identifiers)), "person", "people")
	if c.Now {
		return "Erase " + who + " for good"
	}
	return "Erase " + who + ", for good after seven days"
}

// forget erases the people, permanently or with a delay.
func (c *forgetCmd) forget(ctx context.Context, svc *privacy.Service) ([]privacy.Result, error) {
	by := kith.OperatorPrincipal()
	if c.Now {
		return svc.Forget(ctx, c.Identifiers, by)
	}
	return svc.Schedule(ctx, c.Identifiers, by.Name, by)
}

// cancelUntil says until when and how an erasure can be canceled.
func cancelUntil(r privacy.Result) string {
	if r.Erasure == 0 {
		return ""
	}
	return fmt.Sprintf(" (final on %s; until then: kith erasures cancel %d)", minute(r.FinalAt), r.Erasure)
}

type erasuresCmd struct {
	List   erasuresListCmd   `cmd:""`
	Cancel erasuresCancelCmd `cmd:""`
}

type erasuresListCmd struct{ listFlags }

type erasureRow struct {
	Erasure int64     `json:"erasure"`
	By      string    `json:"by"`
	Created time.Time `json:"created"`
	Final   time.Time `json:"final"`
}

// Run prints the erasures.
func (c *erasuresListCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return inDataset(ctx, g, log, func(d *dataset) error {
		pending, err := d.privacy().Pending(ctx)
		if err != nil {
			return err
		}
		return printList(g.results, c.listFlags, pending, func(e privacy.Erasure) erasureRow {
			return erasureRow{e.ID, e.Actor, e.CreatedAt, e.FinalAt}
		})
	})
}

type erasuresCancelCmd struct {
	Erasures []int64 `arg:"" name:"erasure"`
}

// Run cancels the erasures.
func (c *erasuresCancelCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return inDataset(ctx, g, log, func(d *dataset) error {
		for _, id := range c.Erasures {
			if err := d.privacy().Cancel(ctx, id, kith.OperatorPrincipal()); err != nil {
				return fmt.Errorf("erasure %d: %w", id, err)
			}
		}
		return d.updateIndex(ctx, nil)
	})
}

type exportSubjectCmd struct {
	Identifier string `arg:""`
}

// Run prints the stored data.
func (c *exportSubjectCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := checkIdentifiers(c.Identifier); err != nil {
		return usageError(err)
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		dossier, err := d.privacy().Export(ctx, c.Identifier, kith.OperatorPrincipal())
		if err != nil {
			return err
		}
		return g.results.json(dossier, "  ")
	})
}
