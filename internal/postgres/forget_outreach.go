package postgres

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// forgottenMark begins the entry of a forgotten person among the addresses that
// an app must not write to. No address begins so: it has no @.
const forgottenMark = "hmac-sha256:"

// mark stands for an address in lower case where it must not be readable.
func (s suppression) mark(addr string) string {
	return forgottenMark + hex.EncodeToString(s.email(addr))
}

// refusedAddresses returns those addresses, in lower case, that a user must not
// write to: their app has been told so, or the person behind was forgotten.
func (db *DB) refusedAddresses(ctx context.Context, q querier, user int64, addresses []string) (map[string]bool, error) {
	marks, hashes := make([]string, len(addresses)), make([][]byte, len(addresses))
	s, known, err := knownSuppressionKey(ctx, q)
	if err != nil {
		return nil, err
	}
	for i, addr := range addresses {
		if known {
			marks[i], hashes[i] = s.mark(addr), s.email(addr)
		}
	}
	rows, err := q.Query(ctx, `select k.address from unnest($2::text[], $3::text[], $4::bytea[]) k (address, mark, hash)
		where exists (select from suppressions x join users u on u.app_id = x.app_id where u.id = $1 and x.address in (k.address, k.mark))
			or exists (select from suppressed s where s.hash = k.hash)`, user, addresses, marks, hashes)
	if err != nil {
		return nil, fmt.Errorf("suppressed addresses: %w", away(err))
	}
	out := map[string]bool{}
	var addr string
	_, err = pgx.ForEachRow(rows, []any{&addr}, func() error {
		out[addr] = true
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("suppressed addresses: %w", away(err))
	}
	return out, nil
}

// forgetOutreach takes a person out of what outreach holds beside the leads:
// those go with the person's row, with their e-mails, activities and history.
func (w *writeTx) forgetOutreach(ctx context.Context, s subject, keep suppression) error {
	addresses, err := w.addressesOf(ctx, s)
	if err != nil {
		return err
	}
	names, err := w.introducedAs(ctx, s)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	for _, addr := range addresses {
		// Whoever was not to be written to is still not, but it cannot be read who.
		batch.Queue(`with gone as (delete from suppressions where address = $1 returning app_id, reason, created_at)
			insert into suppressions (app_id, address, reason, created_at) select app_id, $2, reason, created_at from gone on conflict do nothing`,
			addr, keep.mark(addr))
		if addr == s.email {
			batch.Queue("delete from emails where lower(to_address) = $1", addr)
		}
	}
	if s.socialID != "" {
		redactIntroducer(batch, s.socialID, mentions(append(append(names, addresses...), s.socialKey)))
		forgetIntroducer(batch, s.socialID)
	}
	if err := w.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("erase from outreach: %w", err)
	}
	return nil
}

// addressesOf returns the addresses, in lower case, that are the person's and
// nobody else's: the one of the record, and those that the person was written to at.
func (w *writeTx) addressesOf(ctx context.Context, s subject) ([]string, error) {
	rows, err := w.tx.Query(ctx, `select a from (select $2 as a union select lower(e.to_address) from emails e
			join leads l on l.user_id = e.user_id and l.id = e.lead_id where l.person_id = $1) t
		where a <> '' and not exists (select from people p where p.email = a and p.id <> $1)`, s.id, s.email)
	if err != nil {
		return nil, fmt.Errorf("addresses: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("addresses: %w", err)
	}
	return list, nil
}

// introducedAs returns the names by which leads know the person as introducer.
func (w *writeTx) introducedAs(ctx context.Context, s subject) ([]string, error) {
	rows, err := w.tx.Query(ctx, `select n from (select record ->> 'full_name' as n from people where id = $1
			union select i ->> 'name' from leads l, jsonb_array_elements(l.introducers) i where lower(i ->> 'social_identifier') = $2 and $2 <> '') t
		where n <> ''`, s.id, s.socialID)
	if err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	return list, nil
}

// mentions is a regular expression of Postgres for texts as they stand in plain
// text, HTML and JSON, not within longer words.
func mentions(texts []string) string {
	var all []string
	for _, text := range texts {
		for _, form := range []string{text, html.EscapeString(text)} {
			quoted, _ := json.Marshal(form) // a string always can be
			for _, v := range []string{form, strings.Trim(string(quoted), `"`)} {
				if v != "" {
					all = append(all, regexp.QuoteMeta(v))
				}
			}
		}
	}
	slices.Sort(all)
	return "(?<![[:alnum:]])(?:" + strings.Join(slices.Compact(all), "|") + ")(?![[:alnum:]])"
}

// redacted stands where a forgotten person was named.
const redacted = "[forgotten]"

// redactIntroducer takes the mentions of an introducer out of what was written
// to the leads that they introduced: templates put the name there.
func redactIntroducer(batch *pgx.Batch, socialID, mentions string) {
	const introduced = ` from leads l where (l.user_id, l.id) = (t.user_id, t.lead_id) and exists (
		select from jsonb_array_elements(l.introducers) i where lower(i ->> 'social_identifier') = $1)`
	for _, update := range []string{
		`update emails t set subject = regexp_replace(t.subject, $2, $3, 'gi'),
			content = regexp_replace(t.content::text, $2, $3, 'gi')::jsonb` + introduced,
		`update activities t set note = regexp_replace(t.note, $2, $3, 'gi'), prompt = regexp_replace(t.prompt, $2, $3, 'gi')` + introduced,
		`update outreach_history t set reason = regexp_replace(t.reason, $2, $3, 'gi')` + introduced,
		`update leads set latest_update = regexp_replace(latest_update, $2, $3, 'gi') where exists (
			select from jsonb_array_elements(introducers) i where lower(i ->> 'social_identifier') = $1)`,
	} {
		batch.Queue(update, socialID, mentions, redacted)
	}
}

// forgetIntroducer takes a person out of the introducers that leads were given.
func forgetIntroducer(batch *pgx.Batch, socialID string) {
	batch.Queue(`update leads set introducers = (select coalesce(jsonb_agg(i), '[]') from jsonb_array_elements(introducers) i
			where lower(i ->> 'social_identifier') is distinct from $1)
		where exists (select from jsonb_array_elements(introducers) i where lower(i ->> 'social_identifier') = $1)`, socialID)
}
