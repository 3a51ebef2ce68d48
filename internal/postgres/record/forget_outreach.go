package record

import (
	"context"
	"encoding/hex"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
)

// forgottenMark is the prefix of erased addresses in an app's suppression list. It cannot collide with an address,
// because it has no @.
const forgottenMark = "hmac-sha256:"

// ForgottenAddress is the unreadable replacement of a lower-case address.
func ForgottenAddress(s access.Suppression, addr string) string {
	return forgottenMark + hex.EncodeToString(s.Email(addr))
}

// RefusedAddresses returns the lower-case addresses that a user must not write to, however their domains are spelled:
// the app suppresses them, or their person was erased.
func RefusedAddresses(ctx context.Context, db *conn.DB, q conn.Querier, user int64,
	addresses []string,
) (map[string]bool, error) {
	s, err := access.ReadSuppression(ctx, db, q)
	if err != nil {
		return nil, err
	}
	var asked, spellings, marks []string
	var hashes [][]byte
	for _, addr := range addresses {
		for _, spelling := range kith.EmailSpellings(addr) {
			mark, hash := "", []byte(nil)
			if s.Key != nil {
				mark, hash = ForgottenAddress(s, spelling), s.Email(spelling)
			}
			asked, spellings, marks, hashes = append(asked, addr), append(spellings, spelling), append(marks, mark),
				append(hashes, hash)
		}
	}
	refused, err := conn.Collect(ctx, q, "suppressed addresses", pgx.RowTo[string], `select k.asked
		from unnest($2::text[], $3::text[], $4::text[], $5::bytea[]) k (asked, spelling, mark, hash)
		where exists (select from suppressions x join users u on u.app_id = x.app_id where u.id = $1
		and x.address in (k.spelling, k.mark))
			or exists (select from suppressed s where s.hash = k.hash)`, user, asked, spellings, marks, hashes)
	out := make(map[string]bool, len(refused))
	for _, addr := range refused {
		out[addr] = true
	}
	return out, err
}

// forgetOutreach removes a person from outreach data other than their own leads, which go with the person's row,
// including e-mails, activities and history.
func (w eraseTx) forgetOutreach(ctx context.Context, s subject, keep access.Suppression) error {
	addresses, err := w.readOwnAddresses(ctx, s)
	if err != nil {
		return err
	}
	introduced, err := findIntroductions(ctx, w.Tx, s)
	if err != nil {
		return err
	}
	// Lock leads before everything attached to them, as every change does.
	err = conn.Exec(ctx, w.Tx, "lock leads", `select from leads where (user_id, id) in (
			select user_id, id from leads where person_id = any($1)
			union all select user_id, lead_id from emails where lower(to_address) = any($2) and to_address <> ''
			union all select * from unnest($3::bigint[], $4::bigint[])) order by user_id, id for update`,
		s.records(), addresses, introduced.users, introduced.leads)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	redactSentTo(batch, addresses)
	for _, addr := range addresses {
		// Suppressed addresses stay suppressed, but become unreadable.
		batch.Queue(`with gone as (delete from suppressions where address = $1 returning app_id, reason, created_at,
				user_id)
			insert into suppressions (app_id, address, reason, created_at, user_id)
			select app_id, $2, reason, created_at, user_id from gone
			on conflict do nothing`,
			addr, ForgottenAddress(keep, addr))
	}
	batch.Queue("delete from emails where lower(to_address) = any($1) and to_address <> ''", s.addresses)
	// An address that a user knows counts only for that user's e-mails.
	batch.Queue(`delete from emails e using known_addresses k where k.person_id = any($1) and k.email = any($2)
		and e.user_id = k.user_id and lower(e.to_address) = k.email and e.to_address <> ''`, s.records(), addresses)
	if len(introduced.leads) > 0 {
		introduced.redact(batch, mentions(slices.Concat(introduced.names, addresses, []string{
			s.fullName,
			s.socialKey,
		})))
		introduced.erase(batch)
	}
	if err := w.Tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("erase from outreach: %w", err)
	}
	return nil
}

// readOwnAddresses returns the lower-case addresses that only this person has: the records', those that users know,
// and those the person was written to at.
func (w eraseTx) readOwnAddresses(ctx context.Context, s subject) ([]string, error) {
	return conn.Collect(ctx, w.Tx, "addresses", pgx.RowTo[string], `select unnest($2::text[]) union
		select a from (select lower(e.to_address) as a from emails e
				join leads l on l.user_id = e.user_id and l.id = e.lead_id where l.person_id = any($1)
			union select email from known_addresses where person_id = any($1)) t
		where a <> '' and not exists (select from people p where p.email = a
		and p.id <> all($1)) and not exists (select from person_identifiers i where i.kind = 2 and i.value = a
		and i.person_id <> all($1))`, s.records(), s.addresses)
}

// redactSentTo removes addresses from the notes on leads with e-mails to them: mail servers repeat the address they
// refuse.
func redactSentTo(batch *pgx.Batch, addresses []string) {
	if len(addresses) == 0 {
		return
	}
	const sentTo = " in (select user_id, lead_id from emails where lower(to_address) = any($3) and to_address <> '')"
	for _, update := range []string{
		"update outreach_history set reason = regexp_replace(reason, $1, $2, 'gi') where reason ~* $1 and (user_id, " +
			"lead_id)" + sentTo,
		"update leads set latest_update = regexp_replace(latest_update, $1, $2, 'gi') where latest_update ~* $1 and " +
			"(user_id, id)" + sentTo,
	} {
		batch.Queue(update, mentions(addresses), redacted, addresses)
	}
}

// mentions returns a Postgres regular expression that matches texts in plain text and HTML, but not within longer
// words.
func mentions(texts []string) string {
	var all []string
	for _, text := range texts {
		if text != "" {
			all = append(all, regexp.QuoteMeta(text), regexp.QuoteMeta(html.EscapeString(text)))
		}
	}
	slices.Sort(all)
	return "(?<![[:alnum:]])(?:" + strings.Join(slices.Compact(all), "|") + ")(?![[:alnum:]])"
}

// redacted replaces the name of an erased person.
const redacted = "[forgotten]"

// redact removes mentions of an introducer from what was written to the leads they introduced: templates insert the
// name.
func (in introductions) redact(batch *pgx.Batch, mentions string) {
	const introduced = " in (select * from unnest($1::bigint[], $2::bigint[]))"
	for _, update := range []string{
		// Member by member: in the content as a whole, escapes and member names could match. In HTML, tags could
		// match, too.
		`update emails set subject = regexp_replace(subject, $3, $4, 'gi'),
			content = (select jsonb_object_agg(key, regexp_replace(value, case key
			when 'html_body' then '(?<!</?)' else '' end || $3, $4, 'gi'))
				from jsonb_each_text(content)) where (user_id, lead_id)` + introduced,
		"update activities set note = regexp_replace(note, $3, $4, 'gi'), prompt = regexp_replace(prompt, $3, $4, " +
			"'gi') where (user_id, lead_id)" + introduced,
		"update outreach_history set reason = regexp_replace(reason, $3, $4, 'gi') where (user_id, lead_id)" +
			introduced,
		"update leads set latest_update = regexp_replace(latest_update, $3, $4, 'gi') where (user_id, id)" + introduced,
	} {
		batch.Queue(update, in.users, in.leads, mentions, redacted)
	}
}

// erase removes a person from the introducers of leads.
func (in introductions) erase(batch *pgx.Batch) {
	batch.Queue(`update leads set introducers = (select coalesce(jsonb_agg(i), '[]')
		from jsonb_array_elements(introducers) i
			where (i ->> 'social_identifier', coalesce(i ->> 'name', '')) not in (select *
			from unnest($3::text[], $4::text[])))
		where (user_id, id) in (select * from unnest($1::bigint[],
		$2::bigint[]))`, in.users, in.leads, in.identifiers, in.names)
}
