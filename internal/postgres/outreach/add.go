package outreach

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"kith/internal/outreach"
	"kith/internal/postgres/conn"
	networksql "kith/internal/postgres/network"
	recordsql "kith/internal/postgres/record"
)

// AddLeads implements [outreach.Cases]. It serialises the additions of a user, so that a person cannot get into two
// active sequences concurrently.
func (o *Store) AddLeads(
	ctx context.Context, user, sequence int64, by string, wanted []outreach.NewLead,
	admit func(outreach.Standing) *outreach.Refusal,
) ([]outreach.AddedLead, error) {
	var out []outreach.AddedLead
	err := o.db.InTx(ctx, "add leads", func(tx pgx.Tx) error {
		if err := o.db.BlockDeletions(ctx, tx); err != nil {
			return err
		}
		if err := conn.LockUser(ctx, tx, user); err != nil {
			return err
		}
		if err := mine(ctx, tx, user, sequence); err != nil {
			return err
		}
		ids, identifiers := make([]int64, len(wanted)), make([]string, len(wanted))
		for i, w := range wanted {
			ids[i], identifiers[i] = w.PersonID, w.Identifier
		}
		found, err := networksql.FindPeople(ctx, tx, user, ids, identifiers)
		if err != nil {
			return err
		}
		out, err = o.addLeads(ctx, tx, caseKey{user: user, sequence: sequence}, by, found, admit)
		return err
	})
	return out, err
}

func (o *Store) addLeads(
	ctx context.Context, tx pgx.Tx, at caseKey, by string, people []int64,
	admit func(outreach.Standing) *outreach.Refusal,
) ([]outreach.AddedLead, error) {
	leads, err := readLeads(ctx, tx, at, people)
	if err != nil {
		return nil, err
	}
	standings, err := o.readStandings(ctx, tx, at, people)
	if err != nil {
		return nil, err
	}

	refusals := map[int64]*outreach.Refusal{0: {
		Code:    "PERSON_NOT_FOUND",
		Message: "no person was found; load or import the person first",
	}}
	var admitted []int64
	for _, s := range standings {
		if _, there := leads[s.PersonID]; there {
			continue
		}
		if r := admit(s); r != nil {
			refusals[s.PersonID] = r
		} else {
			admitted = append(admitted, s.PersonID)
		}
	}
	if err := insertLeads(ctx, tx, at, by, admitted, leads); err != nil {
		return nil, err
	}
	return answerAdded(people, leads, refusals, admitted), nil
}

// answerAdded returns the outcome for each person, in request order. Only the first mention of a person counts as
// created.
func answerAdded(people []int64, leads map[int64]outreach.Lead, refusals map[int64]*outreach.Refusal,
	admitted []int64,
) []outreach.AddedLead {
	fresh := make(map[int64]bool, len(admitted))
	for _, id := range admitted {
		fresh[id] = true
	}
	out := make([]outreach.AddedLead, len(people))
	for i, id := range people {
		lead, there := leads[id]
		switch {
		case !there:
			out[i] = outreach.AddedLead{Result: outreach.LeadRefused, Refusal: refusals[id]}
		case fresh[id]:
			out[i] = outreach.AddedLead{Result: outreach.LeadCreated, Lead: &lead}
			fresh[id] = false
		default:
			out[i] = outreach.AddedLead{Result: outreach.LeadUnchanged, Lead: &lead}
		}
	}
	return out
}

// readLeads returns the existing leads of a sequence among people.
func readLeads(ctx context.Context, tx pgx.Tx, at caseKey, people []int64) (map[int64]outreach.Lead, error) {
	leads, err := conn.Collect(ctx, tx, "leads of people", conn.Into(leadFields),
		"select "+leadColumns+" from leads l where l.user_id = $1 and l.sequence_id = $2 and l.person_id = any($3)",
		at.user, at.sequence, people)
	out := make(map[int64]outreach.Lead, len(leads))
	for _, l := range leads {
		out[l.PersonID] = l
	}
	return out, err
}

// readStandings returns the state of people, each once, in the order of their first mention.
func (o *Store) readStandings(ctx context.Context, tx pgx.Tx, at caseKey, people []int64) ([]outreach.Standing, error) {
	fields := func(s *outreach.Standing) []any { return []any{&s.PersonID, &s.Email, &s.Elsewhere} }
	list, err := conn.Collect(ctx, tx, "standings of people", conn.Into(fields),
		"select p.id, coalesce(p.email, ''), "+elsewhere+" from people p where p.id = any($3) order by "+
			"array_position($3::bigint[], p.id)", at.user, at.sequence, people)
	if err != nil {
		return nil, err
	}
	addresses := make([]string, len(list))
	for i, s := range list {
		addresses[i] = s.Email
	}
	refused, err := recordsql.RefusedAddresses(ctx, o.db.DB, tx, at.user, addresses)
	for i, s := range list {
		list[i].Suppressed = refused[s.Email]
	}
	return list, err
}

// insertLeads adds people as leads not yet started, in one statement, and puts them into leads.
func insertLeads(ctx context.Context, tx pgx.Tx, at caseKey, by string, people []int64,
	leads map[int64]outreach.Lead,
) error {
	if len(people) == 0 {
		return nil
	}
	now := time.Now().UTC().Truncate(time.Millisecond)
	added, err := conn.Collect(ctx, tx, "insert leads", conn.Into(leadFields), `
		insert into leads as l (user_id, sequence_id, person_id, status, created_at)
		select $1, $2, person_id, $3, $4 from unnest($5::bigint[]) as p (person_id) returning `+leadColumns,
		at.user, at.sequence, string(outreach.LeadNotStarted), now, people)
	if err != nil {
		return err
	}
	ids := make([]int64, len(added))
	for i, l := range added {
		leads[l.PersonID] = l
		ids[i] = l.ID
	}
	_, err = tx.Exec(ctx, `insert into outreach_history (user_id, sequence_id, lead_id, subject, row_id, from_state,
		to_state, reason, moved_by, moved_at)
		select $1, $2, id, $3, id, '', $4, '', $5, $6 from unnest($7::bigint[]) as k (id)`,
		at.user, at.sequence, string(outreach.OfLead), string(outreach.LeadNotStarted), by, now, ids)
	return err
}
