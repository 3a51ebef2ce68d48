package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith/index/load"
)

// rawJSON scans a jsonb value as it comes, without a copy for each row more
// than needed.
type rawJSON []byte

// ScanBytes implements pgtype.BytesScanner. The bytes are valid for one row.
func (r *rawJSON) ScanBytes(src []byte) error {
	*r = src
	return nil
}

// Companies implements [load.Tx].
func (w *writeTx) Companies(ctx context.Context, keys load.CompanyKeys) ([]load.CompanyRow, error) {
	// Four plain look-ups: Postgres plans a disjunction over four columns badly.
	rows, err := w.tx.Query(ctx, `select id, coalesce(social_key, ''), coalesce(domain_key, ''), name_key, record, rank from companies
		where id in (
			select unnest($1::bigint[])
			union select id from companies where social_key = any($2)
			union select id from companies where domain_key = any($3)
			union select id from companies where name_key = any($4))
		order by id`, keys.IDs, keys.Social, keys.Domain, keys.Names)
	if err != nil {
		return nil, err
	}
	var found []load.CompanyRow
	var row load.CompanyRow
	var id int64
	var record []byte
	targets := []any{&id, &row.SocialKey, &row.DomainKey, &row.NameKey, (*rawJSON)(&record), &row.Rank}
	_, err = pgx.ForEachRow(rows, targets, func() (err error) {
		row.Company, err = decodeCompany(id, record)
		found = append(found, row)
		return err
	})
	return found, err
}

// PutCompanies implements [load.Tx].
func (w *writeTx) PutCompanies(ctx context.Context, rows []load.CompanyRow) ([]load.Outcome, error) {
	ids := make([]int64, len(rows))
	for i, r := range rows {
		ids[i] = r.Company.ID
	}
	known, err := w.hashes(ctx, load.Companies, ids)
	if err != nil {
		return nil, err
	}
	outcomes := make([]load.Outcome, len(rows))
	var created, changed []companyValues
	var queue, touched []int64
	for i, r := range rows {
		e, err := encodeCompany(r.Company)
		if err != nil {
			return nil, err
		}
		v := companyValues{row: r, encoded: e}
		hash, stored := known[r.Company.ID]
		switch {
		case !stored:
			outcomes[i], created = load.Created, append(created, v)
		case hash != string(e.hash):
			outcomes[i], changed = load.Changed, append(changed, v)
			touched = append(touched, r.Company.ID)
		default:
			continue
		}
		queue = append(queue, r.Company.ID)
	}
	// Changes first: one may give up the profile URL that a new one then has.
	if err := w.updateCompanies(ctx, changed); err != nil {
		return nil, fmt.Errorf("update companies: %w", err)
	}
	if err := w.insertCompanies(ctx, created); err != nil {
		return nil, fmt.Errorf("insert companies: %w", err)
	}
	if err := w.enqueue(ctx, load.Companies, queue); err != nil {
		return nil, err
	}
	return outcomes, w.enqueuePeopleOf(ctx, touched)
}

// enqueuePeopleOf tells the index of everyone who has or had a job at a changed
// company, because their documents hold its fields.
func (w *writeTx) enqueuePeopleOf(ctx context.Context, companies []int64) error {
	if len(companies) == 0 {
		return nil
	}
	tag, err := w.tx.Exec(ctx, "insert into outbox (kind, id) select $1, id from people where company_ids && $2 order by id", int16(load.People), companies)
	if err != nil {
		return fmt.Errorf("queue people of changed companies: %w", err)
	}
	w.queued = w.queued || tag.RowsAffected() > 0
	return nil
}

type companyValues struct {
	row load.CompanyRow
	encoded
}

func (w *writeTx) insertCompanies(ctx context.Context, values []companyValues) error {
	if len(values) == 0 {
		return nil
	}
	first, err := w.versions(ctx, len(values))
	if err != nil {
		return err
	}
	_, err = w.tx.CopyFrom(ctx, pgx.Identifier{"companies"},
		[]string{"id", "social_key", "domain_key", "name_key", "record", "hash", "rank", "version"},
		pgx.CopyFromSlice(len(values), func(i int) ([]any, error) {
			v := values[i]
			return []any{
				v.row.Company.ID, orNull(v.row.SocialKey), orNull(v.row.DomainKey), v.row.NameKey, v.record, v.hash, v.row.Rank,
				first + int64(i),
			}, nil
		}))
	return err
}

func (w *writeTx) updateCompanies(ctx context.Context, values []companyValues) error {
	if len(values) == 0 {
		return nil
	}
	ids, records, hashes := make([]int64, len(values)), make([]string, len(values)), make([][]byte, len(values))
	socials, domains, names := make([]*string, len(values)), make([]*string, len(values)), make([]string, len(values))
	for i, v := range values {
		ids[i], records[i], hashes[i] = v.row.Company.ID, string(v.record), v.hash
		socials[i], domains[i], names[i] = orNull(v.row.SocialKey), orNull(v.row.DomainKey), v.row.NameKey
	}
	_, err := w.tx.Exec(ctx, `update companies c set record = n.record, hash = n.hash, social_key = n.social_key,
			domain_key = n.domain_key, name_key = n.name_key, version = nextval('record_version'), updated_at = now()
		from unnest($1::bigint[], $2::jsonb[], $3::bytea[], $4::text[], $5::text[], $6::text[])
			as n (id, record, hash, social_key, domain_key, name_key)
		where c.id = n.id`, ids, records, hashes, socials, domains, names)
	return err
}

// companiesOf reads every company of a job of one of the people.
func companiesOf(ctx context.Context, tx pgx.Tx, people []int64) (map[int64]load.Company, error) {
	rows, err := tx.Query(ctx, `select id, record, rank, version from companies where id in (
		select unnest(company_ids) from people where id = any($1))`, people)
	if err != nil {
		return nil, err
	}
	found, err := collectCompanies(rows)
	byID := make(map[int64]load.Company, len(found))
	for _, c := range found {
		byID[c.Company.ID] = c
	}
	return byID, err
}

// CompaniesByID returns the stored companies among ids, by id.
func (db *DB) CompaniesByID(ctx context.Context, ids []int64) ([]load.Company, error) {
	rows, err := db.pool.Query(ctx, "select id, record, rank, version from companies where id = any($1) order by id", ids)
	if err != nil {
		return nil, fmt.Errorf("read companies: %w", away(err))
	}
	found, err := collectCompanies(rows)
	if err != nil {
		return nil, fmt.Errorf("read companies: %w", away(err))
	}
	return found, nil
}

func collectCompanies(rows pgx.Rows) ([]load.Company, error) {
	var found []load.Company
	var id int64
	var c load.Company
	var record []byte
	_, err := pgx.ForEachRow(rows, []any{&id, (*rawJSON)(&record), &c.Rank, &c.Version}, func() (err error) {
		c.Company, err = decodeCompany(id, record)
		found = append(found, c)
		return err
	})
	return found, err
}
