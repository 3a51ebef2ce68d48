package network_test

import (
	"fmt"
	"testing"

	"kith"
	"kith/internal/auth"
	"kith/internal/expect"
	"kith/internal/network"
	"kith/internal/pgtest"
	"kith/internal/postgres"
)

// loadPeople stores a dataset of many people with the minimum for networks. All work at company 1
// now, each worked with nine others elsewhere, and some studied together.
func loadPeople(b *testing.B, people int) (*postgres.DB, auth.App) {
	b.Helper()
	url := pgtest.MigratedURL(b)
	db := pgtest.Dataset(b, url, postgres.Options{})
	for _, sql := range []string{
		`insert into people (id, social_key, social_id, record, hash, rank, version, company_ids)
			select i, 'social.example/in/p' || i, 'p' || i, '{}', '', 1000000 - i %% 1000, i, '{}'
			from generate_series(1, %d) i`,
		`insert into companies (id, name_key, record, hash, rank, version)
			select i, 'c' || i, '{"employee_count": 50}', '', 0, 0 from generate_series(1, %d / 10 + 2) i`,
		`insert into tenures select i, 1, 15000 + i %% 4000, null from generate_series(1, %d) i`,
		`insert into tenures select i, 2 + i %% (%[1]d / 10), 12000 + i %% 2000, 14000 + i %% 900
			from generate_series(1, %[1]d) i`,
		`insert into studies select i, 'school ' || i %% 300, 9000 + i %% 8000, 10200 + i %% 8000
			from generate_series(1, %d) i`,
		`vacuum analyze`,
	} {
		if sql != "vacuum analyze" {
			sql = fmt.Sprintf(sql, people)
		}
		pgtest.Exec(b, db, sql)
	}
	app, _, err := auth.New(db.Auth(), auth.Config{}).CreateApp(b.Context(), "acme")
	expect.NoError(b, err)
	return db, app
}

// caller is a user who knows n of the people.
func caller(b *testing.B, db *postgres.DB, app auth.App, people, n int) kith.Actor {
	b.Helper()
	a := pgtest.User(b, db, app, fmt.Sprint("knows ", n), "u@acme.example")
	pgtest.Exec(b, db, `insert into relationships (user_id, person_id, score, kinds)
		select $1, 1 + i::bigint * $2 / $3, i % 21 / 2.0, 1 from generate_series(0, $3 - 1) i`, a.UserID, people, n)
	return a
}

// BenchmarkCompanyOf200000 finds the paths into a company of 200,000 people.
func BenchmarkCompanyOf200000(b *testing.B) {
	const people = 200_000
	db, app := loadPeople(b, people)
	for _, n := range []int{100, 3000, 30_000} {
		a := caller(b, db, app, people, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			finder := network.NewPathfinder(network.NewCircles(db.Network(), nil))
			for b.Loop() {
				if _, total, err := finder.AtCompany(b.Context(), a, []int64{1}, 25); err != nil || total != people {
					b.Fatal(total, err)
				}
			}
		})
	}
}

// BenchmarkCircle computes who is within reach from scratch, and checks an unchanged circle for changes.
func BenchmarkCircle(b *testing.B) {
	const people = 200_000
	db, app := loadPeople(b, people)
	for _, n := range []int{0, 100, 3000, 30_000} {
		a := caller(b, db, app, people, max(n, 1))
		b.Run(fmt.Sprint("made/", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := network.NewCircles(db.Network(), nil).Now(b.Context(), a, network.Filter{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		circles := network.NewCircles(db.Network(), nil)
		b.Run(fmt.Sprint("kept/", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := circles.Now(b.Context(), a, network.Filter{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
