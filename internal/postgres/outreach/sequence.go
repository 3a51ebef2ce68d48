// Package outreach stores the data of outreach in Postgres: [Store] has sequences with their leads, e-mails and
// activities, and [Delivery] adds what must be sealed: integrations, feedback and webhooks. A change of a lead runs a
// pure rule of package outreach under the lead's row lock. Erasures of people are in package postgres.
package outreach

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/index/pgfault"
	"kith/internal/outreach"
	"kith/internal/postgres/conn"
	recordsql "kith/internal/postgres/record"
)

var _ outreach.Store = (*Store)(nil)

// Store stores sequences with their leads, e-mails and activities. It implements [outreach.Store] and is safe for
// concurrent use.
type Store struct {
	db   *recordsql.Store
	pool conn.Querier
}

// New returns the store of sequences.
func New(db *recordsql.Store) *Store { return &Store{db, db.Querier()} }

func noSequence() error {
	return kith.Errorf(kith.NotFound, "SEQUENCE_NOT_FOUND", "you have no sequence with this id")
}

func noLead() error {
	return kith.Errorf(kith.NotFound, "LEAD_NOT_FOUND", "the sequence has no lead with this id")
}

const sequenceColumns = `id, name, description, status, instructions, templates, created_at,
	leads, active_leads, sent, opened, replied, clicked, forwarded`

// templates returns the templates of a sequence as they are stored: none are an empty list.
func templates(s outreach.Sequence) []outreach.Template {
	return append([]outreach.Template{}, s.Templates...)
}

func readSequence(ctx context.Context, q conn.Querier, where string, args ...any) (outreach.Sequence, error) {
	s, err := scanSequence(q.QueryRow(ctx, "select "+sequenceColumns+" from sequences where "+where, args...))
	if errors.Is(err, pgx.ErrNoRows) {
		return s, noSequence()
	}
	return s, err
}

// Sequences implements [outreach.Store].
func (o *Store) Sequences(ctx context.Context, user int64, p outreach.Page) ([]outreach.Sequence, error) {
	scan := func(row pgx.CollectableRow) (outreach.Sequence, error) { return scanSequence(row) }
	return conn.Collect(ctx, o.pool, "list sequences", scan,
		"select "+sequenceColumns+" from sequences where user_id = $1 and id > $2 order by id limit $3", user, p.After,
		p.N)
}

func scanSequence(row pgx.Row) (s outreach.Sequence, err error) {
	err = row.Scan(
		&s.ID, &s.Name, &s.Description, &s.Status, &s.Instructions, &s.Templates, &s.CreatedAt,
		&s.Counts.Leads, &s.Counts.ActiveLeads, &s.Counts.Sent, &s.Counts.Opened, &s.Counts.Replied, &s.Counts.Clicked,
		&s.Counts.Forwarded)
	return s, err
}

// Sequence implements [outreach.Store].
func (o *Store) Sequence(ctx context.Context, user, id int64) (outreach.Sequence, error) {
	s, err := readSequence(ctx, o.pool, "user_id = $1 and id = $2", user, id)
	return s, conn.Named("sequence", err)
}

// CreateSequence implements [outreach.Store].
func (o *Store) CreateSequence(ctx context.Context, user int64, s outreach.Sequence,
	by string,
) (outreach.Sequence, error) {
	err := o.db.InTx(ctx, "create sequence", func(tx pgx.Tx) error {
		if err := conn.LockUser(ctx, tx, user); err != nil {
			return err
		}
		err := insertSequence(ctx, tx, user, &s)
		if errors.Is(err, pgx.ErrNoRows) {
			return nameTaken(s.Name)
		}
		if err != nil {
			return err
		}
		return writeSequenceMove(ctx, tx, user, s.ID, outreach.Move{To: string(s.Status), At: s.CreatedAt, By: by})
	})
	return s, err
}

func nameTaken(name string) error {
	return kith.Errorf(kith.Conflict, "SEQUENCE_EXISTS", "you have a sequence named %q already; choose another name",
		name)
}

// insertSequence stores s and sets its id; pgx.ErrNoRows means that the name is taken.
func insertSequence(ctx context.Context, tx pgx.Tx, user int64, s *outreach.Sequence) error {
	return tx.QueryRow(ctx, `insert into sequences (user_id, name, description, status, instructions, templates,
		created_at)
		values ($1, $2, $3, $4, $5, $6, $7) on conflict (user_id, name) do nothing returning id`,
		user, s.Name, s.Description, string(s.Status), s.Instructions, templates(*s),
		s.CreatedAt).Scan(&s.ID)
}

// ChangeSequence implements [outreach.Store]. It serialises changes of a user's sequences and additions to them, so
// that a person cannot get into two active ones concurrently.
func (o *Store) ChangeSequence(ctx context.Context, user, id int64, by string,
	change func(*outreach.Sequence) error,
) (s outreach.Sequence, err error) {
	err = o.db.InTx(ctx, "change sequence", func(tx pgx.Tx) error {
		if err := conn.LockUser(ctx, tx, user); err != nil {
			return err
		}
		if s, err = readSequence(ctx, tx, "user_id = $1 and id = $2 for no key update", user, id); err != nil {
			return err
		}
		before := s
		if err := change(&s); err != nil {
			return err
		}
		if sameSequence(before, s) {
			return nil
		}
		if s.Status == outreach.SequenceActive && before.Status != s.Status {
			if err := checkOtherSequences(ctx, tx, user, id); err != nil {
				return err
			}
		}
		return updateSequence(ctx, tx, user, s,
			outreach.Move{From: string(before.Status), To: string(s.Status), At: time.Now().UTC(), By: by})
	})
	return s, err
}

// elsewhere is true for a person p who is an open lead of an active sequence of user $1 other than sequence $2.
const elsewhere = `exists (select from leads o join sequences s on s.user_id = o.user_id and s.id = o.sequence_id
	where o.user_id = $1 and o.person_id = p.id and s.id <> $2 and s.status = 'active'
	and o.status not in ('finished', 'deleted'))`

// checkOtherSequences returns a Conflict if an open lead of a sequence is also in another active one.
func checkOtherSequences(ctx context.Context, tx pgx.Tx, user, id int64) error {
	var n, first int64
	err := tx.QueryRow(ctx, `select count(*), coalesce(min(p.id), 0) from leads l join people p on p.id = l.person_id
		where l.user_id = $1 and l.sequence_id = $2 and l.status not in ('finished', 'deleted')
		and `+elsewhere, user, id).Scan(&n, &first)
	if err != nil || n == 0 {
		return err
	}
	return kith.Errorf(kith.Conflict, "LEADS_IN_ANOTHER_SEQUENCE",
		"%d of its leads are leads of another active sequence, person %d for one; finish or delete these leads in one "+
			"of "+
			"the two first", n, first)
}

func sameSequence(a, b outreach.Sequence) bool {
	same := slices.Equal(a.Templates, b.Templates)
	a.Templates, b.Templates = nil, nil
	return same && reflect.DeepEqual(a, b)
}

func updateSequence(ctx context.Context, tx pgx.Tx, user int64, s outreach.Sequence, m outreach.Move) error {
	_, err := tx.Exec(ctx, `update sequences set name = $3, description = $4, status = $5, instructions = $6,
		templates = $7, updated_at = now()
		where user_id = $1 and id = $2`,
		user, s.ID, s.Name, s.Description, string(s.Status), s.Instructions, templates(s))
	if pgfault.Code(err) == pgfault.UniqueViolation {
		return nameTaken(s.Name)
	}
	if err != nil {
		return err
	}
	if m.From == m.To {
		m.Reason = "edited"
	} else if s.Status == outreach.SequenceActive {
		// Waiting e-mails of the sequence become due at once.
		_, err := tx.Exec(ctx, `update emails set due_at = scheduled_at where (user_id, id) in (select user_id, id
			from emails where user_id = $1 and sequence_id = $2 and status = 'scheduled'
			for no key update skip locked)`, user, s.ID)
		if err != nil {
			return err
		}
	}
	return writeSequenceMove(ctx, tx, user, s.ID, m)
}

// mine returns NotFound unless the user has the sequence.
func mine(ctx context.Context, q conn.Querier, user, sequence int64) error {
	there, err := conn.Value[bool](ctx, q, "sequence",
		"select exists (select from sequences where user_id = $1 and id = $2)", user, sequence)
	if err == nil && !there {
		return noSequence()
	}
	return err
}
