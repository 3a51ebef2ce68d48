package record

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	"kith/internal/record"
)

// Companies implements [record.Tx].
func (w *WriteTx) Companies(ctx context.Context, keys record.CompanyKeys) ([]record.CompanyRow, error) {
	query, args := "select id, version from companies where id = any($1) order by created_at, id", []any{keys.IDs}
	if len(keys.Social)+len(keys.Domain)+len(keys.Names) > 0 {
		// Four plain look-ups: Postgres plans a disjunction over four columns badly.
		query = `select c.id, c.version from companies c join (
			select unnest($1::bigint[]) as id
			union select c.id from unnest($2::text[]) k join companies c on c.social_key = k and c.owner in ('', $5)
			union select c.id from unnest($3::text[]) k join companies c on c.domain_key = k and c.owner in ('', $5)
			union select c.id from unnest($4::text[]) k join companies c on c.name_key = k
			and c.owner in ('', $5)) wanted on wanted.id = c.id order by c.created_at, c.id`
		args = append(args, keys.Social, keys.Domain, keys.Names, w.Owner)
	}
	found, err := w.db.readCompanies(ctx, w.Tx, query, args...)
	if err != nil {
		return nil, err
	}
	rows := make([]record.CompanyRow, len(found))
	for i, f := range found {
		rows[i] = f.row
	}
	return rows, nil
}

// PutCompanies implements [record.Tx].
func (w *WriteTx) PutCompanies(ctx context.Context, rows []record.CompanyRow) ([]record.Outcome, error) {
	outcomes := make([]record.Outcome, len(rows))
	created, changed, err := divide(ctx, w, record.Companies, rows, outcomes,
		func(r record.CompanyRow) int64 { return r.Company.ID },
		func(r record.CompanyRow) (encoded, error) { return encodeCompany(r.Company) })
	if err != nil {
		return nil, err
	}
	return outcomes, w.writeCompanies(ctx, rows, outcomes, created, changed)
}

// writeCompanies stores the new and changed companies of a batch.
func (w *WriteTx) writeCompanies(ctx context.Context, rows []record.CompanyRow, outcomes []record.Outcome,
	created, changed []companyValues,
) error {
	var queue, touched []int64
	for i, r := range rows {
		isNew := outcomes[i] == record.Created
		if isNew && !r.Direct || outcomes[i] == record.Changed {
			queue = append(queue, r.Company.ID)
		}
		if outcomes[i] == record.Changed {
			touched = append(touched, r.Company.ID)
		}
	}
	// Changes first: one may give up a profile URL that a new company then has.
	if err := w.updateCompanies(ctx, changed); err != nil {
		return fmt.Errorf("update companies: %w", err)
	}
	if err := w.insertCompanies(ctx, created); err != nil {
		return fmt.Errorf("insert companies: %w", err)
	}
	if err := w.Enqueue(ctx, record.Companies, queue); err != nil {
		return err
	}
	return w.enqueueEmployees(ctx, touched)
}

// enqueueEmployees queues everyone who has or had a job at a changed company for the index, because their documents
// contain its fields.
func (w *WriteTx) enqueueEmployees(ctx context.Context, companies []int64) error {
	if len(companies) == 0 {
		return nil
	}
	tag, err := w.Tx.Exec(ctx, "insert into outbox (kind, id) select $1, id from people where company_ids && $2 order "+
		"by id", int16(record.People), companies)
	if err != nil {
		return fmt.Errorf("queue people of changed companies: %w", err)
	}
	w.queued = w.queued || tag.RowsAffected() > 0
	return nil
}

type companyValues = values[record.CompanyRow]

func (w *WriteTx) insertCompanies(ctx context.Context, values []companyValues) error {
	if len(values) == 0 {
		return nil
	}
	first, err := w.versions(ctx, len(values))
	if err != nil {
		return err
	}
	for i := range values {
		values[i].row.Version = first + int64(i)
	}
	_, err = w.Tx.CopyFrom(ctx, pgx.Identifier{"companies"},
		[]string{"id", "social_key", "domain_key", "name_key", "record", "hash", "rank", "version", "owner"},
		pgx.CopyFromSlice(len(values), func(i int) ([]any, error) {
			v := values[i]
			return []any{
				v.row.Company.ID, orNull(v.row.SocialKey), orNull(v.row.DomainKey), v.row.NameKey, v.record, v.hash,
				v.row.Rank,
				v.row.Version, w.Owner,
			}, nil
		}))
	return err
}

func (w *WriteTx) updateCompanies(ctx context.Context, values []companyValues) error {
	if len(values) == 0 {
		return nil
	}
	ids, records, hashes := make([]int64, len(values)), make([]string, len(values)), make([][]byte, len(values))
	socials, domains, names := make([]*string, len(values)), make([]*string, len(values)), make([]string, len(values))
	for i, v := range values {
		ids[i], records[i], hashes[i] = v.row.Company.ID, string(v.record), v.hash
		socials[i], domains[i], names[i] = orNull(v.row.SocialKey), orNull(v.row.DomainKey), v.row.NameKey
	}
	renamed, err := (blockTx{w}).findRenamed(ctx, ids, names)
	if err != nil {
		return err
	}
	_, err = w.Tx.Exec(ctx, `update companies c set record = n.record, hash = n.hash, social_key = n.social_key,
			domain_key = n.domain_key, name_key = n.name_key, version = nextval('record_version'), updated_at = now(),
			owner = $7
		from unnest($1::bigint[], $2::jsonb[], $3::bytea[], $4::text[], $5::text[], $6::text[])
			as n (id, record, hash, social_key, domain_key, name_key)
		where c.id = n.id`, ids, records, hashes, socials, domains, names, w.Owner)
	if err != nil {
		return err
	}
	return (blockTx{w}).renewBlocksAt(ctx, renamed)
}

// readEmployers reads every company of the people's jobs.
func (db *Store) readEmployers(ctx context.Context, tx pgx.Tx, people []int64) (map[int64]cachedCompany, error) {
	found, err := db.readCompanies(ctx, tx, `select c.id, c.version from companies c join (
		select distinct unnest(p.company_ids) as id from unnest($1::bigint[]) k
		join people p on p.id = k) wanted on wanted.id = c.id`, people)
	byID := make(map[int64]cachedCompany, len(found))
	for _, c := range found {
		byID[c.row.Company.ID] = c
	}
	return byID, err
}

// CompaniesByID returns the stored companies among ids, by id.
func (db *Store) CompaniesByID(ctx context.Context, ids []int64) ([]record.Company, error) {
	var companies []record.Company
	err := db.InSnapshot(ctx, "read companies", func(tx pgx.Tx) error {
		found, err := db.readCompanies(ctx, tx, "select id, version from companies where id = any($1)", ids)
		companies = make([]record.Company, len(found))
		for i, f := range found {
			companies[i] = record.Company{Company: f.row.Company, Rank: f.row.Rank, Version: f.version, Owner: f.owner}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(companies, func(a, b record.Company) int { return cmp.Compare(a.Company.ID, b.Company.ID) })
	return companies, nil
}

// Companies returns the stored companies among ids, by id. It checks no visibility: the ids must come from records that
// the caller may see.
func (db *Store) Companies(ctx context.Context, ids []int64) ([]kith.Company, error) {
	stored, err := db.CompaniesByID(ctx, ids)
	companies := make([]kith.Company, len(stored))
	for i, c := range stored {
		companies[i] = c.Company
	}
	return companies, err
}

// VisibleCompanies implements [network.Records].
func (db *Store) VisibleCompanies(ctx context.Context, v kith.Viewer, ids []int64) ([]kith.Company, error) {
	return db.visibleCompanies(ctx, v, "id = any($2)", ids)
}

// CompaniesAt implements [network.Records].
func (db *Store) CompaniesAt(ctx context.Context, v kith.Viewer, site, profile string) ([]kith.Company, error) {
	return db.visibleCompanies(ctx, v, "(domain_key = nullif($2, '') or social_key = nullif($3, ''))", site, profile)
}

// visibleCompanies returns the companies of a condition on the arguments from $2 on that a viewer may see: everyone's
// first, then by rank and id.
func (db *Store) visibleCompanies(ctx context.Context, v kith.Viewer, condition string, args ...any) (
	[]kith.Company, error,
) {
	seen, err := access.VisibleOwners(ctx, db.Querier(), v)
	if err != nil {
		return nil, err
	}
	ids, err := conn.Collect(
		ctx,
		db.Querier(),
		"find companies",
		pgx.RowTo[int64],
		"select id from companies where "+condition+
			" and ($1::text[] is null or owner = any($1)) order by owner <> '', rank desc, id",
		append([]any{[]string(seen)}, args...)...)
	if err != nil {
		return nil, err
	}
	companies, err := db.Companies(ctx, ids)
	slices.SortFunc(companies, func(a, b kith.Company) int {
		return cmp.Compare(slices.Index(ids, a.ID), slices.Index(ids, b.ID))
	})
	return companies, err
}
