package outreach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/outreach"
	"kith/internal/postgres/conn"
	networksql "kith/internal/postgres/network"
	"kith/internal/record"
)

var _ loader.SequenceStore = (*Store)(nil)

// PutSequence implements [loader.SequenceStore]. It updates existing leads to the line, but leaves e-mails loaded
// before unchanged, because they may have been decided on or sent. It rejects the whole line if somebody would be an
// open lead of two active sequences.
func (o *Store) PutSequence(ctx context.Context, line loader.Sequence) (loader.Related, error) {
	loaded := newLoaded(line)
	loaded.Fill(time.Now().UTC().Truncate(time.Millisecond))
	if problems := loaded.Check(); len(problems) > 0 {
		texts := make([]string, len(problems))
		for i, p := range problems {
			texts[i] = p.Field + " " + p.Message
		}
		return loader.Related{Reason: strings.Join(texts, "; ")}, nil
	}
	var out loader.Related
	err := o.db.InTx(ctx, "load sequence", func(tx pgx.Tx) error {
		if err := o.db.BlockDeletions(ctx, tx); err != nil {
			return err
		}
		user, err := networksql.EnsureUser(ctx, tx, line.App, line.ExternalUserID)
		if err != nil {
			return err
		}
		if user == 0 {
			out.Reason = fmt.Sprintf("app: there is no app %q; create it with kith app create", line.App)
			return nil
		}
		if loaded.Leads, err = o.leadsToLoad(ctx, tx, loaded.Leads); err != nil {
			return err
		}
		if out.Reason, err = findLeads(ctx, tx, user, loaded.Leads); err != nil || out.Reason != "" {
			return err
		}
		if out.Outcome, err = o.putLoaded(ctx, tx, user, &loaded); err != nil ||
			loaded.Sequence.Status != outreach.SequenceActive {
			return err
		}
		return checkOtherSequences(ctx, tx, user, loaded.Sequence.ID)
	})
	if e, ok := errors.AsType[*kith.Error](err); ok && e.Kind == kith.Conflict {
		return loader.Related{Reason: "leads: " + e.Detail}, nil
	}
	return out, conn.Refused(err)
}

// Seed gives a user the sequences that build returns, once: later calls do nothing.
func (o *Store) Seed(ctx context.Context, user int64, build func(now time.Time) ([]outreach.Loaded, error)) error {
	lacks, err := conn.Value[bool](ctx, o.pool, "seed sequences",
		"select exists (select from users where id = $1 and not sequences_given)", user)
	if err != nil || !lacks {
		return err
	}
	sequences, err := build(time.Now().UTC())
	if err != nil {
		return fmt.Errorf("sequences to give: %w", err)
	}
	return o.db.InTx(ctx, "seed sequences", func(tx pgx.Tx) error {
		if err := conn.LockUser(ctx, tx, user); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, "update users set sequences_given = true where id = $1 and not sequences_given", user)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		for _, s := range sequences {
			s.Fill(time.Now().UTC().Truncate(time.Millisecond))
			if _, err := o.putLoaded(ctx, tx, user, &s); err != nil {
				return err
			}
		}
		return nil
	})
}

// findLeads sets the people of leads, or returns the reason why one cannot be found.
func findLeads(ctx context.Context, tx pgx.Tx, user int64, leads []outreach.LoadedLead) (reason string, err error) {
	identifiers := make([]string, len(leads))
	for i, l := range leads {
		identifiers[i] = l.Identifier
	}
	found, err := networksql.IdentifyFor(ctx, tx, user, identifiers)
	if err != nil {
		return "", err
	}
	seen := map[int64]string{}
	for i, id := range found {
		if id == 0 {
			return fmt.Sprintf("leads: there is no person %q; load people before sequences", leads[i].Identifier), nil
		}
		if at, twice := seen[id]; twice {
			return fmt.Sprintf("leads: %q is the same person as %q", leads[i].Identifier, at), nil
		}
		seen[id] = leads[i].Identifier
		leads[i].Lead.PersonID = id
	}
	return "", nil
}

// putLoaded stores a sequence of a locked user and sets its id.
func (o *Store) putLoaded(ctx context.Context, tx pgx.Tx, user int64, l *outreach.Loaded) (record.Outcome, error) {
	if err := lockLoaded(ctx, tx, user, *l); err != nil {
		return 0, err
	}
	outcome, err := putSequence(ctx, tx, user, l)
	if err != nil {
		return 0, err
	}
	at := caseKey{user: user, sequence: l.Sequence.ID}
	changed, err := o.changeLoaded(ctx, tx, at, l.Leads)
	if err != nil {
		return 0, err
	}
	added, err := addLoaded(ctx, tx, at, l.Leads)
	if err != nil {
		return 0, err
	}
	if outcome == record.Unchanged && (changed || added) {
		outcome = record.Changed
	}
	return outcome, nil
}

// lockLoaded locks the existing leads. As in every change of a lead, leads are locked before the sequence, whose counts
// change with them.
func lockLoaded(ctx context.Context, tx pgx.Tx, user int64, l outreach.Loaded) error {
	people := make([]int64, len(l.Leads))
	for i, lead := range l.Leads {
		people[i] = lead.Lead.PersonID
	}
	return conn.Exec(ctx, tx, "lock leads", `select from leads l join sequences s on s.user_id = l.user_id
		and s.id = l.sequence_id
		where s.user_id = $1 and s.name = $2 and l.person_id = any($3) order by l.id
		for no key update of l`, user, l.Sequence.Name, people)
}

// putSequence creates a sequence, or changes the one with the same name, and sets its id.
func putSequence(ctx context.Context, tx pgx.Tx, user int64, l *outreach.Loaded) (record.Outcome, error) {
	s := &l.Sequence
	err := insertSequence(ctx, tx, user, s)
	if err == nil {
		return record.Created, writeSequenceMove(ctx, tx, user, s.ID,
			outreach.Move{To: string(s.Status), At: s.CreatedAt, By: outreach.ByLoad})
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return 0, err
	}
	before, err := readSequence(ctx, tx, "user_id = $1 and name = $2 for no key update", user, s.Name)
	if err != nil {
		return 0, err
	}
	l.Keep(before)
	move := outreach.Move{From: string(before.Status), To: string(s.Status), At: s.CreatedAt, By: outreach.ByLoad}
	s.ID, s.CreatedAt, s.Counts = before.ID, before.CreatedAt, before.Counts
	if sameSequence(before, *s) {
		return record.Unchanged, nil
	}
	return record.Changed, updateSequence(ctx, tx, user, *s, move)
}

// changeLoaded updates existing leads to the loaded state, and reports whether anything changed.
func (o *Store) changeLoaded(ctx context.Context, tx pgx.Tx, at caseKey,
	leads []outreach.LoadedLead,
) (changed bool, err error) {
	people := make([]int64, len(leads))
	for i, l := range leads {
		people[i] = l.Lead.PersonID
	}
	there, err := readLeads(ctx, tx, at, people)
	if err != nil {
		return false, err
	}
	for i := range leads {
		l := &leads[i]
		before, known := there[l.Lead.PersonID]
		if !known {
			continue
		}
		l.Keep(before)
		ch, differs := leadDifference(before, l.Lead)
		if !differs {
			continue
		}
		changed = true
		at.lead = before.ID
		err := o.changeCase(ctx, tx, at, func(c *outreach.Case) error {
			c.By, c.Now = outreach.ByLoad, l.Lead.CreatedAt
			c.ChangeLead(ch)
			c.Lead.Stage = max(c.Lead.Stage, l.Lead.Stage)
			return nil
		})
		if err != nil {
			return false, err
		}
	}
	return changed, nil
}

// leadDifference returns the change from one lead to another. A stage never decreases.
func leadDifference(before, after outreach.Lead) (ch outreach.LeadChange, differs bool) {
	if before.Status != after.Status {
		ch.Status = &after.Status
	}
	ch.SetIntroducers = len(before.Introducers)+len(after.Introducers) > 0 &&
		!reflect.DeepEqual(before.Introducers, after.Introducers)
	ch.Introducers = after.Introducers
	ch.SetNextFollowup = (before.NextFollowup == nil) != (after.NextFollowup == nil) ||
		before.NextFollowup != nil && !before.NextFollowup.Equal(*after.NextFollowup)
	ch.NextFollowup = after.NextFollowup
	return ch, ch.Status != nil || ch.SetIntroducers || ch.SetNextFollowup || before.Stage < after.Stage
}

func newLoaded(line loader.Sequence) outreach.Loaded {
	out := outreach.Loaded{
		Sequence: outreach.Sequence{Name: line.Name, Status: outreach.SequenceStatus(line.Status)},
		Leads:    make([]outreach.LoadedLead, len(line.Leads)),
	}
	out.Sequence.Description, out.NoDescription = given(line.Description)
	out.Sequence.Instructions, out.NoInstructions = given(line.Instructions)
	if line.Templates != nil {
		out.Sequence.Templates = make([]outreach.Template, len(line.Templates))
	}
	for i, t := range line.Templates {
		out.Sequence.Templates[i] = outreach.Template(t)
	}
	for i, l := range line.Leads {
		lead := outreach.LoadedLead{Identifier: l.SocialURL, Lead: outreach.Lead{
			Status: outreach.LeadStatus(l.Status), Stage: l.Stage, NextFollowup: micros(l.NextFollowup),
		}}
		if l.Introducers != nil {
			lead.Lead.Introducers = make([]outreach.Introducer, len(l.Introducers))
		}
		for k, in := range l.Introducers {
			one := outreach.Introducer(in)
			one.Rank = cmp.Or(one.Rank, k+1)
			lead.Lead.Introducers[k] = one
		}
		for _, e := range l.Emails {
			lead.Emails = append(lead.Emails, loadedEmail(e))
		}
		out.Leads[i] = lead
	}
	return out
}

// given returns a text of a line, and whether it was given as "".
func given(text *string) (value string, empty bool) {
	if text == nil {
		return "", false
	}
	return *text, *text == ""
}

func loadedEmail(e loader.SequenceEmail) outreach.LoadedEmail {
	out := outreach.LoadedEmail{Email: outreach.Email{
		Subject: e.Subject, From: e.From, To: kith.NormalEmail(e.To), Status: outreach.EmailStatus(e.Status),
		ScheduledAt: micros(e.ScheduledAt), SentAt: micros(e.SentAt),
	}}
	if e.Content != nil {
		content := outreach.Content(*e.Content)
		out.Email.Content = &content
	}
	if a := e.Activity; a != nil {
		out.Activity = outreach.Activity{
			Type: a.Type, Decision: outreach.Decision(a.Decision), Confidence: a.Confidence,
			Note: a.Note, Prompt: a.Prompt,
		}
	}
	return out
}

// micros truncates a time to the stored precision.
func micros(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	at := t.UTC().Truncate(time.Microsecond)
	return &at
}
