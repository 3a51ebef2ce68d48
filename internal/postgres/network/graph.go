package network

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/network"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
)

// Contacts implements [network.GraphStore].
func (nw *Store) Contacts(ctx context.Context, user int64) ([]network.Contact, error) {
	return conn.Collect(ctx, nw.db.Querier(), "read contacts", pgx.RowToStructByPos[network.Contact],
		"select person_id, score, kinds from relationships where user_id = $1 order by person_id", user)
}

// TimesOf implements [network.GraphStore].
func (nw *Store) TimesOf(ctx context.Context, people []int64) ([]network.Time, error) {
	return timesOf(ctx, nw.db.Querier(), people)
}

func timesOf(ctx context.Context, on conn.Querier, people []int64) ([]network.Time, error) {
	return conn.Collect(ctx, on, "read times", scanTime, `select person_id, company_id, '', from_day,
		coalesce(to_day, $2) from tenures where person_id = any($1)
		union all select person_id, 0, school, from_day, coalesce(to_day, $2) from studies where person_id = any($1)`,
		people, network.Open)
}

// Employees implements [network.GraphStore].
func (nw *Store) Employees(
	ctx context.Context, v kith.Viewer, companies []int64, within func(int64) bool, f func(int64),
) error {
	seen, err := access.VisibleOwners(ctx, nw.db.Querier(), v)
	if err != nil {
		return err
	}
	dated := map[int64]bool{}
	err = nw.eachPerson(ctx, func(person int64) {
		if within(person) {
			dated[person] = true
			f(person)
		}
	}, `select person_id from tenures where company_id = any($1) and to_day is null
		and ($2::text[] is null or owner = any($2))`, companies, []string(seen))
	if err != nil {
		return err
	}
	// Jobs without a first day have no row in tenures: exports of networks have no dates.
	var unsure []int64
	err = nw.eachPerson(ctx, func(person int64) {
		if within(person) && !dated[person] {
			unsure = append(unsure, person)
		}
	}, "select id from people where company_ids && $1 and ($2::text[] is null or owner = any($2))",
		companies, []string(seen))
	if err != nil {
		return err
	}
	return nw.eachAtWork(ctx, v, unsure, companies, f)
}

// batchOfRecords is how many records are read at once.
const batchOfRecords = 1000

// eachAtWork calls f with the people whose records have a present job at one of the companies.
func (nw *Store) eachAtWork(ctx context.Context, v kith.Viewer, people, companies []int64, f func(int64)) error {
	for batch := range slices.Chunk(people, batchOfRecords) {
		records, err := nw.people(ctx, v, batch)
		if err != nil {
			return err
		}
		for _, p := range records {
			if slices.ContainsFunc(p.Jobs(), func(j *kith.Job) bool {
				return j.Current() && slices.Contains(companies, j.Company.ID)
			}) {
				f(p.ID)
			}
		}
	}
	return nil
}

// eachPerson calls f with the ids that a query selects. It decodes rows by hand, because large companies have hundreds
// of thousands.
func (nw *Store) eachPerson(ctx context.Context, f func(int64), sql string, args ...any) error {
	return eachRow(ctx, nw.db.Querier(), "read employees", func(v [][]byte) { f(bigint(v[0])) }, sql, args...)
}

func scanTime(row pgx.CollectableRow) (t network.Time, err error) {
	err = row.Scan(&t.Person, &t.Org.Company, &t.Org.School, &t.From, &t.To)
	return t, err
}

// Shared implements [network.GraphStore].
func (nw *Store) Shared(ctx context.Context, user int64, introducers, targets []int64) ([]network.Shared, error) {
	return conn.Collect(ctx, nw.db.Querier(), "read shared relationships",
		func(row pgx.CollectableRow) (s network.Shared, err error) {
			var team bool
			err = row.Scan(&s.Introducer, &s.Target, &s.Score, &team)
			s.Kind = network.Community
			if team {
				s.Kind = network.Team
			}
			return s, err
		}, "with "+sharing+`
		select o.introducer, r.person_id, r.score, o.team from others o join relationships r on r.user_id = o.id
		where o.introducer = any($2) and ($3::bigint[] is null or r.person_id = any($3))
		order by 1, 2`, user, introducers, targets)
}

// Sizes implements [network.GraphStore].
func (nw *Store) Sizes(ctx context.Context, companies []int64) (map[int64]int, error) {
	return companySizes(ctx, nw.db.Querier(), companies)
}

func companySizes(ctx context.Context, on conn.Querier, companies []int64) (map[int64]int, error) {
	sizes := map[int64]int{}
	var id int64
	var n int
	err := conn.ForEach(ctx, on, "company sizes", []any{&id, &n}, func() error {
		sizes[id] = n
		return nil
	}, "select id, coalesce((record->>'employee_count')::int, 0) from companies where id = any($1)", companies)
	return sizes, err
}
