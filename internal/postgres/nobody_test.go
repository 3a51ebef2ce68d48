package postgres_test

import (
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/network"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/search"
	"kith/internal/search/suggest"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query"
	"kith/query/analysis"
	"kith/query/cursor"
	"kith/query/prompt/prompttest"
)

// reads are the methods that take a viewer, by type and name. Each returns what the viewer sees.
func reads(t *testing.T, db *postgres.DB, ids, companies []int64) map[string]func(v kith.Viewer) (any, error) {
	t.Helper()
	ctx, nets, janes := t.Context(), db.Network(), []string{"j1@example.com"}
	return map[string]func(v kith.Viewer) (any, error){
		"postgres.DB.ByIdentifier": func(v kith.Viewer) (any, error) { return db.ByIdentifier(ctx, v, janes) },
		"postgres.DB.ByProfile": func(v kith.Viewer) (any, error) {
			return db.ByProfile(ctx, v, []string{"social.example/in/ann"})
		},
		"postgres.DB.CompaniesAt": func(v kith.Viewer) (any, error) {
			return db.CompaniesAt(ctx, v, "acme.example", "")
		},
		"postgres.DB.Decided":    func(v kith.Viewer) (any, error) { return db.Decided(ctx, v, 10) },
		"postgres.DB.Duplicates": func(v kith.Viewer) (any, error) { return db.Duplicates(ctx, v, nil, 10) },
		"postgres.DB.Identify":   func(v kith.Viewer) (any, error) { return db.Identify(ctx, v, "j1@example.com") },
		"postgres.DB.Known":      func(v kith.Viewer) (any, error) { return db.Known(ctx, v, []string{"acme"}, nil) },
		"postgres.DB.MayDecide": func(v kith.Viewer) (any, error) {
			err := db.MayDecide(v, record.Everyone)
			return err == nil, err
		},
		"postgres.DB.People": func(v kith.Viewer) (any, error) { return db.People(ctx, v, ids) },
		"postgres.DB.PeopleByKey": func(v kith.Viewer) (any, error) {
			return db.PeopleByKey(ctx, v, []string{"e:j1@example.com"})
		},
		"postgres.DB.RecordOf": func(v kith.Viewer) (any, error) {
			id, _, err := db.RecordOf(ctx, v, "j1@example.com")
			return id, err
		},
		"postgres.DB.Starting": func(v kith.Viewer) (any, error) {
			return db.Starting(ctx, v, suggest.Lookup{
				Texts: []string{"acm"}, Kinds: []analysis.TermKind{analysis.TermCompany}, Limit: 5,
			})
		},
		"postgres.DB.Visible": func(v kith.Viewer) (any, error) {
			owners, all, _, err := db.Visible(ctx, v)
			return all || len(owners) > 0, err
		},
		"postgres.DB.VisibleCompanies": func(v kith.Viewer) (any, error) {
			return db.VisibleCompanies(ctx, v, companies)
		},
		"network.Store.Employees": func(v kith.Viewer) (any, error) {
			var found []int64
			err := nets.Employees(ctx, v, companies, func(int64) bool { return true },
				func(id int64) { found = append(found, id) })
			return found, err
		},
		"network.Store.Named": func(v kith.Viewer) (any, error) { return nets.Named(ctx, v, "j1@example.com") },
	}
}

// The zero viewer, as of code that forgot whom it works for, sees not even what everyone sees.
func TestZeroViewerSeesNothing(t *testing.T) {
	db := pgtest.NewDataset(t)
	uniteAs(t, db, record.Everyone, janeAtAcme, janeInSales,
		`{"full_name":"Ann Roe","social_url":"https://social.example/in/ann","work_relevant":{"title":"Engineer",`+
			`"company":{"name":"Acme","domain":"acme.example"}}}`)
	engine := memindex.New()
	expect.NoError(t, indexer.NewDrainer(db, engine, zerolog.Nop()).Drain(t.Context()))
	ids, err := db.IDs(t.Context(), record.People, 0, 10)
	expect.NoError(t, err)
	companies, err := db.IDs(t.Context(), record.Companies, 0, 10)
	expect.NoError(t, err)
	all := reads(t, db, ids, companies)
	for _, of := range []any{db, db.Network(), db.Saved(), db.Imports(), db.Auth(), db.Tickets(nil)} {
		for name := range takingViewers(reflect.TypeOf(of)) {
			if all[name] == nil && name != "postgres.DB.Export" { // refused without a user, below
				t.Errorf("%s takes a viewer: add it to reads", name)
			}
		}
	}
	for name, read := range all {
		seen, err := read(kith.Viewer{})
		if kind := kith.KindOf(err); err != nil && kind != kith.NotFound && kind != kith.Forbidden || !isEmpty(seen) {
			t.Errorf("%s shows nobody %v, %v", name, seen, err)
		}
		if seen, err := read(kith.Operator()); err != nil || isEmpty(seen) && name != "postgres.DB.Decided" {
			t.Errorf("%s shows the operator %v, %v", name, seen, err)
		}
	}
	if err := db.Export(t.Context(), kith.Viewer{}, io.Discard); kith.KindOf(err) != kith.Unauthorized {
		t.Errorf("an export of nobody: %v", err)
	}
	searchedBy(t, db, engine)
}

// searchedBy searches as nobody and as the public.
func searchedBy(t *testing.T, db *postgres.DB, engine *memindex.Index) {
	t.Helper()
	seal, err := cursor.New(make([]byte, cursor.KeySize))
	expect.NoError(t, err)
	s := search.New(search.Config{
		Index: index.New(engine), Planner: prompttest.Planner(), Records: db, Settings: db, Journal: db, Sight: db,
		Seal: seal, Network: network.NewCircles(db.Network(), nil),
	})
	for name, req := range map[string]search.Request{
		"filters":  {Filters: query.Filters{"company": "Acme"}, Limit: 10},
		"global":   {Filters: query.Filters{"position": "-president"}, Limit: 10, Scope: search.ScopeGlobal},
		"a prompt": {Prompt: "engineers", Limit: 10},
		"a list":   {Scope: search.ScopeList, List: []search.ListEntry{{ID: "ann"}}, Limit: 10},
	} {
		found := map[kith.Viewer]int{}
		for _, v := range []kith.Viewer{{}, kith.Public()} {
			results, err := s.Search(t.Context(), v, req)
			if err != nil {
				continue // refused
			}
			page, err := search.Collect(t.Context(), results)
			expect.NoError(t, err)
			found[v] = len(page.People)
		}
		if found[kith.Viewer{}] > 0 || found[kith.Public()] == 0 {
			t.Errorf("%s: nobody finds %d people, the public %d", name, found[kith.Viewer{}], found[kith.Public()])
		}
	}
}

// takingViewers returns the methods with a viewer among their parameters.
func takingViewers(of reflect.Type) map[string]bool {
	out := map[string]bool{}
	for i := range of.NumMethod() {
		for m, j := of.Method(i), 0; j < m.Type.NumIn(); j++ {
			if m.Type.In(j) == reflect.TypeFor[kith.Viewer]() {
				out[strings.TrimPrefix(of.String(), "*")+"."+m.Name] = true
			}
		}
	}
	return out
}

func isEmpty(seen any) bool {
	v := reflect.ValueOf(seen)
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}
