package network

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/network"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	"kith/query"
	"kith/query/analysis"
)

var _ network.CircleStore = (*Store)(nil)

// Changed implements [network.CircleStore].
func (nw Circles) Changed(ctx context.Context, a kith.Actor, records int64, n int) ([]int64, error) {
	seen, err := access.VisibleOwners(ctx, nw.db.Querier(), a.Viewer())
	if err != nil {
		return nil, err
	}
	return conn.Collect(ctx, nw.db.Querier(), "read changed people", pgx.RowTo[int64],
		`select case when $3::text[] is null or owner = any($3) then id else 0 end from people where version > $1
		order by version limit $2`, records, n, []string(seen))
}

// PeopleNamed implements [network.CircleStore]. A URL matches by its last segment, on any site; a number is an id or a
// social identifier.
func (nw Circles) PeopleNamed(ctx context.Context, a kith.Actor, identifiers []string) ([]int64, error) {
	seen, err := access.VisibleOwners(ctx, nw.db.Querier(), a.Viewer())
	if err != nil {
		return nil, err
	}
	var marks []Mark
	for _, identifier := range identifiers {
		m := parseMark(identifier)
		if m.id != nil || m.Email != nil {
			marks = append(marks, m)
		}
		if key := analysis.SocialID(identifier); m.Email == nil && query.Storable(key) {
			marks = append(marks, Mark{social: &key})
		}
	}
	for i := range marks {
		marks[i].Owners, marks[i].User = seen, a.UserID
	}
	people := map[int64]bool{}
	err = MatchMarks(ctx, nw.db.Querier(), marks, func(_ int, id int64) { people[id] = true })
	return slices.Sorted(maps.Keys(people)), err
}

// EachTimeAt implements [network.CircleStore]. It decodes rows by hand, because a caller who
// knows many people has millions.
func (nw Circles) EachTimeAt(
	ctx context.Context, a kith.Actor, orgs []network.Org, f func(i int, t network.Time),
) error {
	seen, err := access.VisibleOwners(ctx, nw.db.Querier(), a.Viewer())
	if err != nil {
		return err
	}
	var companies, companyAt, schoolAt []int64
	var schools []string
	for i, p := range orgs {
		if p.Company != 0 {
			companies, companyAt = append(companies, p.Company), append(companyAt, int64(i))
		} else {
			schools, schoolAt = append(schools, p.School), append(schoolAt, int64(i))
		}
	}
	err = nw.eachTime(ctx, f, `select w.i, t.person_id, t.from_day, t.to_day
		from unnest($1::bigint[], $2::bigint[]) as w (company, i) join tenures t on t.company_id = w.company
		where $3::text[] is null or t.owner = any($3)`, companies, companyAt, []string(seen))
	if err != nil {
		return err
	}
	return nw.eachTime(ctx, f, `select w.i, t.person_id, t.from_day, t.to_day
		from unnest($1::text[], $2::bigint[]) as w (school, i) join studies t on t.school = w.school
		where $3::text[] is null or t.owner = any($3)`, schools, schoolAt, []string(seen))
}

func (nw Circles) eachTime(ctx context.Context, f func(i int, t network.Time), sql string, args ...any) error {
	return eachRow(ctx, nw.db.Querier(), "times of a network", func(v [][]byte) {
		t := network.Time{Person: bigint(v[1]), From: integer(v[2]), To: network.Open}
		if v[3] != nil {
			t.To = integer(v[3])
		}
		f(int(bigint(v[0])), t)
	}, sql, args...)
}

// eachRow calls f with the values of each row in Postgres's binary format.
func eachRow(ctx context.Context, on conn.Querier, what string, f func(values [][]byte), sql string,
	args ...any,
) error {
	rows, err := on.Query(ctx, sql, append([]any{pgx.QueryResultFormats{pgx.BinaryFormatCode}}, args...)...)
	if err != nil {
		return conn.Named(what, err)
	}
	defer rows.Close()
	for rows.Next() {
		f(rows.RawValues())
	}
	return conn.Named(what, rows.Err())
}

// bigint and integer decode Postgres's binary format.
func bigint(v []byte) int64  { return int64(binary.BigEndian.Uint64(v)) } // the bits as they are
func integer(v []byte) int32 { return int32(binary.BigEndian.Uint32(v)) } // the bits as they are

// ByRank implements [network.CircleStore].
func (nw Circles) ByRank(ctx context.Context, people []int64) ([]network.Ranked, error) {
	return conn.Collect(ctx, nw.db.Querier(), "read ranks", pgx.RowToStructByPos[network.Ranked],
		"select id, rank from people where id = any($1) order by rank desc, id", people)
}

const (
	// circleDays is how long a walk through a network may pause, in days.
	circleDays = 7
	// maxCircles is how many circles are kept per user.
	maxCircles = 200
)

// SaveCircle implements [network.CircleKeeper]. It removes expired circles.
func (nw Circles) SaveCircle(ctx context.Context, user int64, id string, data []byte) error {
	return conn.Exec(ctx, nw.db.Querier(), "keep a circle", `with old as (
			delete from circles where user_id = $1 and id <> $2 and (saved_at < now() - make_interval(days => $4)
				or id in (select id from circles where user_id = $1 order by saved_at desc offset $5))
		)
		insert into circles (user_id, id, data) values ($1, $2, $3)
		on conflict (user_id, id) do update set saved_at = now()`, user, id, data, circleDays, maxCircles)
}

// Circle implements [network.CircleKeeper].
func (nw Circles) Circle(ctx context.Context, user int64, id string) ([]byte, error) {
	return conn.One(ctx, nw.db.Querier(), "circle",
		kith.Errorf(kith.NotFound, "CIRCLE_NOT_FOUND", "it is no longer kept"), pgx.RowTo[[]byte],
		"select data from circles where user_id = $1 and id = $2 and saved_at > now() - make_interval(days => $3)",
		user, id, circleDays)
}
