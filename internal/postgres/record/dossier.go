package record

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/postgres/access"
	"kith/internal/record/privacy"
)

// section is one kind of data stored on a person: a query for rows. Its parameters are $1 the ids of the person's
// records, $2 the profile key, $3 the addresses, $4 the person's identifiers as an introducer in leads, $5 the marks
// of the erased addresses, and $6 and $7 the users and ids of those leads.
type section struct{ name, query string }

func sections() []section { return slices.Concat(networkSections(), outreachSections()) }

// networkSections are the records and what users know of the person.
func networkSections() []section {
	return []section{
		{"record", `select p.id, p.owner, p.social_key, p.social_id, p.email, p.record,
			encode(p.packed, 'base64') as packed, p.rank, p.version, p.created_at, p.updated_at, p.as_of, p.trail,
			p.refreshed_at from people p where p.id = any($1)`},
		{"identifiers", `select i.kind, i.value from person_identifiers i where i.person_id = any($1)`},
		{"records", `select r.id, r.record, r.as_of, r.trail from person_records r where r.person_id = any($1)`},
		{"duplicates", `select d.* from duplicates d where d.low = any($1) or d.high = any($1)`},
		{"relationships", `select a.name as app, u.external_id as user, r.score, r.kinds, r.created_at, r.updated_at
			from relationships r join users u on u.id = r.user_id join apps a on a.id = u.app_id
			where r.person_id = any($1)`},
		{"contacts", `select a.name as app, u.external_id as user, c.kind, c.month, c.outgoing, c.incoming, c.first_day,
			c.last_day from contacts c join users u on u.id = c.user_id join apps a on a.id = u.app_id
			where c.person_id = any($1)`},
		{"known_addresses", `select a.name as app, u.external_id as user, k.email
			from known_addresses k join users u on u.id = k.user_id join apps a on a.id = u.app_id
			where k.person_id = any($1)`},
		{"correspondence", `select a.name as app, u.external_id as user, c.email, c.name, c.month, c.outgoing,
			c.incoming, c.first_day, c.last_day
			from correspondence c join users u on u.id = c.user_id join apps a on a.id = u.app_id
			where c.email = any($3)`},
		{"lists", `select a.name as app, u.external_id as user, l.name as list, e.added_at
			from list_people e join lists l on l.id = e.list_id join users u on u.id = l.user_id join apps a
			on a.id = u.app_id where e.person_id = any($1)`},
	}
}

// outreachSections are outreach to the person and through them, and what the server keeps for its own work.
func outreachSections() []section {
	return []section{
		{"leads", `select a.name as app, u.external_id as user, s.name as sequence, l.* from leads l
			join users u on u.id = l.user_id join apps a on a.id = u.app_id join sequences s on s.user_id = l.user_id
			and s.id = l.sequence_id
			where l.person_id = any($1)`},
		{"emails", `select e.* from emails e join leads l on l.user_id = e.user_id and l.id = e.lead_id
			where l.person_id = any($1) or (lower(e.to_address) = any($3) and e.to_address <> '')`},
		{"activities", `select x.* from activities x join leads l on l.user_id = x.user_id and l.id = x.lead_id
			where l.person_id = any($1)`},
		{"outreach_history", `select h.* from outreach_history h join leads l on l.user_id = h.user_id
			and l.id = h.lead_id where l.person_id = any($1)`},
		{"introducer_of", `select l.user_id, l.id as lead, i as introducer
			from leads l, jsonb_array_elements(l.introducers) i
			where (l.user_id, l.id) in (select * from unnest($6::bigint[], $7::bigint[]))
			and i ->> 'social_identifier' = any($4)`},
		{"emails_as_introducer", `select e.* from emails e join leads l on l.user_id = e.user_id and l.id = e.lead_id
			where (l.user_id, l.id) in (select * from unnest($6::bigint[], $7::bigint[]))
				and exists (select from jsonb_array_elements(l.introducers) i where i ->> 'social_identifier' = any($4)
				and strpos(lower(concat(e.subject, e.content)), lower(i ->> 'name')) > 0)`},
		{"suppressions", `select a.name as app, s.reason, s.created_at, s.address from suppressions s
			join apps a on a.id = s.app_id
			where s.address = any($3) or s.address = any($5) or s.address in (select lower(e.to_address)
				from emails e join leads l on l.user_id = e.user_id and l.id = e.lead_id where l.person_id = any($1)
				and e.to_address <> '')`},
		{"webhook_events", `select a.name as app, v.webhook_id, v.history_id, v.attempts, v.next_at
			from webhook_events v join apps a on a.id = v.app_id
			join outreach_history h on h.user_id = v.user_id and h.id = v.history_id
			join leads l on l.user_id = h.user_id and l.id = h.lead_id where l.person_id = any($1)`},
		{"webhook_events_of_lists", `select a.name as app, v.webhook_id, v.detail, v.at, v.attempts, v.next_at
			from webhook_events v join apps a on a.id = v.app_id where v.person_id = any($1)`},
		{"jobs", `select a.name as app, u.external_id as user, j.id, j.kind, j.social_url, j.created_at, j.finished_at,
			j.status, j.error
			from jobs j join users u on u.id = j.user_id join apps a on a.id = u.app_id where j.social_key = $2`},
		{"work", `select r.id, r.kind, r.state, r.args, r.errors, r.created_at, r.finalized_at from river_job r
			where r.args @> jsonb_build_object('key', $2::text) and $2 <> ''`},
		{"index_failures", `select f.reason, f.failed_at from outbox_failed f where f.kind = 1 and f.id = any($1)`},
		{"accounts", `select a.name as app, u.external_id as user, u.email, u.name, u.created_at from users u
			join apps a on a.id = u.app_id
			where lower(u.email) = any($3)`},
	}
}

// Export implements [privacy.Store].
func (p *Privacy) Export(ctx context.Context, identifier string, by kith.Principal) (privacy.Dossier, error) {
	db := p.db
	out := privacy.Dossier{
		Identifier: identifier, GeneratedAt: time.Now().UTC(),
		Sections: map[string]json.RawMessage{},
	}
	found := []kith.Person{}
	keep, err := access.ReadSuppression(ctx, p.db.DB, db.Querier())
	if err != nil {
		return privacy.Dossier{}, fmt.Errorf("export: %w", err)
	}
	name := ""
	err = db.InTxWith(ctx, "export", pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
		s, err := findSubject(ctx, tx, identifier, nil, "")
		name = hex.EncodeToString(keep.Person(s.socialKey, s.email, s.id))
		if err != nil {
			return err
		}
		if s.several > 1 {
			return kith.Errorf(kith.Conflict, privacy.CodeAmbiguous,
				"%d people have this identifier; give the profile URL", s.several)
		}
		if s.id != 0 {
			people, err := db.ReadPeople(ctx, tx, []int64{s.id})
			if err != nil {
				return err
			}
			for _, p := range people {
				found = append(found, p.Person)
			}
		}
		if out.Sections["person"], err = json.Marshal(found); err != nil {
			return err
		}
		return fill(ctx, tx, s, keep, by.Name, out)
	})
	if err != nil {
		return privacy.Dossier{}, err
	}
	// Outside of the snapshot: an audit entry must follow those written since.
	return out, p.audit.Note(ctx, by, "person.exported", "person "+name, nil)
}

// fill reads the sections and records the access.
func fill(ctx context.Context, tx pgx.Tx, s subject, keep access.Suppression, actor string, out privacy.Dossier) error {
	introduced, err := findIntroductions(ctx, tx, s)
	if err != nil {
		return err
	}
	mark := keep.Person(s.socialKey, s.email, s.id)
	addresses, marks, hashes := append([]string{}, s.addresses...), []string{}, [][]byte{mark}
	if s.email != "" && !slices.Contains(addresses, s.email) {
		addresses = append(addresses, s.email)
	}
	for _, address := range addresses {
		marks, hashes = append(marks, ForgottenAddress(keep, address)), append(hashes, keep.Email(address))
	}
	for _, sec := range sections() {
		var rows []byte
		// The queries are constants. Every parameter appears in each, used or not, so that all have the same numbering.
		err := tx.QueryRow(ctx, `select coalesce(jsonb_agg(to_jsonb(t)), '[]') from (select * from (`+sec.query+`) t
			where ($1::bigint[], $2::text, $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
			is not null) t`,
			s.records(), s.socialKey, addresses, append([]string{}, introduced.identifiers...), marks,
			notNil(introduced.users), notNil(introduced.leads)).Scan(&rows)
		if err != nil {
			return fmt.Errorf("%s: %w", sec.name, err)
		}
		if out.Sections[sec.name], err = unpackRows(rows); err != nil {
			return fmt.Errorf("%s: %w", sec.name, err)
		}
	}
	for name, query := range map[string]string{
		"suppressed": "select created_at from suppressed where hash = any($1)",
		"audit":      "select action, actor, found, created_at from privacy_audit where subject = any($1)",
	} {
		var rows []byte
		err := tx.QueryRow(ctx, "select coalesce(jsonb_agg(to_jsonb(t)), '[]') from ("+query+") t", hashes).Scan(&rows)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		out.Sections[name] = rows
	}
	_, err = tx.Exec(ctx, "insert into privacy_audit (action, subject, actor, found) values ('export', $1, $2, $3)",
		mark, actor, s.id != 0)
	return err
}
