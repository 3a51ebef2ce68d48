package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"kith"
	"kith/internal/access/audit"
	"kith/internal/access/auth"
	"kith/internal/access/idempotency"
	"kith/internal/access/keys"
	"kith/internal/imports/loader"
	"kith/internal/operation/backup"
	"kith/internal/postgres"
	"kith/internal/postgres/operation"
	"kith/internal/record"
	"kith/internal/record/privacy"
	"kith/internal/search/saved"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// backedUp returns an archive of a dataset, and checksums of its tables.
func backedUp(t testing.TB, db *postgres.DB) ([]byte, map[string]backup.Sum) {
	t.Helper()
	var out bytes.Buffer
	signer, err := keeper(t, db, nil).Signer()
	expect.NoError(t, err)
	w, err := backup.NewWriter(&out, signer)
	expect.NoError(t, err)
	expect.NoError(t, db.Snapshot("test").Backup(t.Context(), w))
	expect.NoError(t, w.Close())
	return out.Bytes(), w.Sums()
}

func restore(ctx context.Context, url string, archive []byte, replace bool) error {
	r, err := backup.NewReader(bytes.NewReader(archive))
	if err != nil {
		return err
	}
	defer r.Close()
	return operation.Restore(ctx, url, r, operation.RestoreOptions{Replace: replace})
}

// filled returns a dataset with rows in many of its tables.
func filled(t *testing.T) *postgres.DB {
	t.Helper()
	db := pgtest.NewDataset(t)
	pgtest.Load(t, db, record.Companies, `{"id":7,"name":"Tab\there, \\ and \"quotes\""}`)
	var people, relations, sequences []string
	for i := range 30 {
		url := fmt.Sprintf("https://social.example/in/p-%d", i)
		people = append(people,
			fmt.Sprintf(`{"full_name":"Jané %d \\N\r\nx","social_url":%q,"email":"p%[1]d@example.com",`+
				`"work_relevant":{"title":"CEO","company":{"id":7},"start_date":"2020"}}`, i, url))
		relations = append(relations, fmt.Sprintf(`{"app":"acme","external_user_id":"u1","identifier":%q,"score":8}`,
			url))
		sequences = append(sequences, fmt.Sprintf(`{"app":"acme","external_user_id":"u2","name":"Q%d",`+
			`"leads":[{"social_url":%q,"emails":[{"subject":"Hello","content":{"body":"Hi\tthere\\."}}]}]}`, i, url))
	}
	pgtest.Load(t, db, record.People, people...)
	app := pgtest.App(t, db, "acme")
	pgtest.User(t, db, app, "u1", "u1@example.com")
	pgtest.Load(t, db, record.Relationships, relations...)
	load := loader.New(db)
	load.Sequences = db.Outreach()
	stats, err := load.File(t.Context(), record.ForEveryone(), "-",
		loader.Options{
			Kind: record.Sequences, Stdin: strings.NewReader(strings.Join(sequences, "\n")),
			Rejects: filepath.Join(t.TempDir(), "rejects"),
		})
	if err != nil || stats.Rejected > 0 {
		t.Fatal(stats, err)
	}
	keeper, err := keys.Open(t.Context(), db.Keys(), nil)
	expect.NoError(t, err)
	_, err = privacy.New(db.Privacy(keeper.Sealer)).Schedule(t.Context(), []string{"https://social.example/in/p-3"},
		"operator", kith.OperatorPrincipal())
	expect.NoError(t, err)
	list := newListing(t, db, app, "u3")
	list.add("https://social.example/in/p-4", "https://social.example/in/p-5")
	_, err = db.Saved().SaveSearch(t.Context(), list.user,
		saved.Search{Name: "S", Request: []byte(`{"prompt":"engineers"}`)}, []int64{1, 2}, 10)
	expect.NoError(t, err)
	return db
}

// A restored database equals the original in each table and sequence.
func TestRestoreEqualsTheOriginal(t *testing.T) {
	db := filled(t)
	archive, want := backedUp(t, db)
	for _, name := range []string{
		"people", "companies", "users", "tokens", "app_keys", "relationships", "sequences",
		"leads", "emails", "audit", "erasures", "suppressed", "tenures", "settings", "list_people", "saved_searches",
	} {
		if want[name].Rows == 0 {
			t.Errorf("table %s is empty, so the test proves nothing about it", name)
		}
	}
	url := pgtest.URL(t)
	expect.NoError(t, restore(t.Context(), url, archive, false))
	again := pgtest.Dataset(t, url, postgres.Options{})
	anew, got := backedUp(t, again)
	for name, sum := range want {
		if got[name] != sum && name != "settings" {
			t.Errorf("table %s: %+v, want %+v", name, got[name], sum)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d tables, want %d", len(got), len(want))
	}
	a, b := readManifest(t, archive), readManifest(t, anew)
	if fmt.Sprint(a.Sequences, a.Migrations, a.Queue) != fmt.Sprint(b.Sequences, b.Migrations, b.Queue) {
		t.Errorf("sequences and migrations\n%+v\n%+v", a, b)
	}
	if head, err := audit.Verify(t.Context(), again.Audit(), ""); err != nil || head.Seq != want["audit"].Rows {
		t.Errorf("the audit ends at %+v, %v", head, err)
	}
	old, _ := db.Keys().Ring(t.Context())
	if ring, err := again.Keys().Ring(t.Context()); err != nil || !bytes.Equal(ring, old) {
		t.Errorf("other sealing keys: %v", err)
	}
	// After a restore the triggers are enabled, and the index needs a build.
	if _, err := again.Pool().Exec(t.Context(), "delete from audit"); err == nil {
		t.Error("entries of the audit can be deleted after a restore")
	}
	if built, err := again.Built(t.Context()); built != "" || err != nil {
		t.Errorf("the index still counts as built: %q, %v", built, err)
	}
	pgtest.Load(t, again, record.People, `{"full_name":"New","social_url":"https://social.example/in/new"}`)
}

// A backup has the keys of repeated requests, so that none changes something twice after a restore, but no answers.
func TestBackupsContainNoStoredAnswers(t *testing.T) {
	db := pgtest.NewDataset(t)
	request := idempotency.Of("user 1", "POST /v2/lists", "k1", []byte("{}"))
	work := func(context.Context, *postgres.DB) (idempotency.Answer, error) {
		return idempotency.Answer{Status: 200}, nil
	}
	once := func(db *postgres.DB) (bool, error) {
		answers := postgres.NewAnswers(db, func(tx *postgres.DB) *postgres.DB { return tx })
		_, replayed, err := idempotency.New(answers, keeper(t, db, nil).Sealer, nil).Once(t.Context(), request, work)
		return replayed, err
	}
	if _, err := once(db); err != nil {
		t.Fatal(err)
	}
	archive, _ := backedUp(t, db)
	if replayed, err := once(db); !replayed || err != nil {
		t.Errorf("before the restore: %v, %v", replayed, err)
	}
	url := pgtest.URL(t)
	expect.NoError(t, restore(t.Context(), url, archive, false))
	_, err := once(pgtest.Dataset(t, url, postgres.Options{}))
	if e, ok := errors.AsType[*kith.Error](err); !ok || e.Code != "IDEMPOTENCY_ANSWER_LOST" {
		t.Errorf("after the restore: %v", err)
	}
}

func readManifest(t testing.TB, archive []byte) backup.Manifest {
	t.Helper()
	r, err := backup.NewReader(bytes.NewReader(archive))
	expect.NoError(t, err)
	defer r.Close()
	return r.Manifest
}

// In a backup, rows come after the rows they refer to, because a restore has no right to disable foreign keys.
func TestBackupsOrderTablesByReference(t *testing.T) {
	db := pgtest.NewDataset(t)
	archive, _ := backedUp(t, db)
	at := map[string]int{}
	for i, table := range readManifest(t, archive).Tables {
		at[table.Name] = i + 1
	}
	rows, err := db.Pool().Query(t.Context(), `select f.relname, t.relname from pg_constraint k
			join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
		where k.contype = 'f' and not k.condeferrable and f.oid <> t.oid and k.connamespace = 'kith'::regnamespace`)
	expect.NoError(t, err)
	var from, to string
	_, err = pgx.ForEachRow(rows, []any{&from, &to}, func() error {
		if at[from] != 0 && (at[to] == 0 || at[to] > at[from]) {
			t.Errorf("%s refers to %s, which comes later or not at all", from, to)
		}
		return nil
	})
	expect.NoError(t, err)
}

// A restore keeps existing data without --force, and a damaged backup replaces nothing.
func TestRestoreReplacesDataOnlyWithForce(t *testing.T) {
	archive, _ := backedUp(t, filled(t))
	url := pgtest.URL(t)
	db := pgtest.Dataset(t, url, postgres.Options{Name: "kith test"})
	pgtest.App(t, db, "here before")
	apps := func() string {
		all, err := db.Auth().Apps(t.Context())
		expect.NoError(t, err)
		return fmt.Sprint(all)
	}
	if err := restore(t.Context(), url, archive, false); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("without --force: %v", err)
	}
	for name, damaged := range map[string][]byte{
		"cut short": archive[:len(archive)-100], "cut in the middle": archive[:len(archive)/2],
		"joined to itself": slices.Concat(archive, archive),
	} {
		err := restore(t.Context(), url, damaged, true)
		if !errors.Is(err, backup.ErrDamaged) || !strings.Contains(apps(), "here before") {
			t.Errorf("%s: %v; the apps are %s", name, err, apps())
		}
	}
	served, err := postgres.Open(t.Context(), url, postgres.Options{})
	expect.NoError(t, err)
	if err := restore(t.Context(), url, archive, true); kith.KindOf(err) != kith.Conflict {
		t.Errorf("while kith is running: %v", err)
	}
	served.Close()
	expect.NoError(t, restore(t.Context(), url, archive, true))
	if !strings.Contains(apps(), "acme") {
		t.Error(apps())
	}
}

// A backup taken during writes is a consistent snapshot: every token has its entry in the audit,
// every person the stay at the employer, and it restores.
func TestBackupsDuringWritesAreConsistent(t *testing.T) {
	const backups = 20
	db := filled(t)
	svc := auth.New(db.Auth(), auth.Config{})
	app, err := svc.AppByName(t.Context(), "acme")
	expect.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var writers errgroup.Group
	for w := range 2 {
		writers.Go(func() error {
			for i := 0; ctx.Err() == nil; i++ {
				id := auth.Identity{ExternalID: fmt.Sprintf("w%d-%d", w, i), Email: "w@example.com"}
				if _, err := svc.Issue(context.WithoutCancel(ctx), app, id); err != nil {
					return err
				}
			}
			return nil
		})
	}
	writers.Go(func() error {
		for i := 0; ctx.Err() == nil; i++ {
			line := fmt.Sprintf(`{"full_name":"N","social_url":"https://social.example/in/n-%d",`+
				`"work_relevant":{"title":"CEO","company":{"id":7},"start_date":"2020"}}`, i)
			stats, err := loader.New(db).File(context.WithoutCancel(ctx), record.ForEveryone(), "-",
				loader.Options{Kind: record.People, Stdin: strings.NewReader(line)})
			if err != nil || stats.Rejected > 0 {
				return fmt.Errorf("%v %w", stats, err)
			}
		}
		return nil
	})
	archives, all := make([][]byte, backups), make([]map[string]backup.Sum, backups)
	for i := range archives {
		archives[i], all[i] = backedUp(t, db)
		sums := all[i]
		// One transaction creates each user, one token and its audit entry.
		if users, tokens := sums["users"].Rows, sums["tokens"].Rows; users != tokens+1 {
			t.Errorf("backup %d: %d users, %d tokens", i, users, tokens)
		}
		if people, tenures := sums["people"].Rows, sums["tenures"].Rows; people != tenures {
			t.Errorf("backup %d: %d people, %d stays", i, people, tenures)
		}
	}
	stop()
	expect.NoError(t, writers.Wait())
	for i, archive := range archives {
		t.Run(fmt.Sprintf("backup %d", i), func(t *testing.T) {
			t.Parallel() // each mostly waits for Postgres
			checkRestored(t, archive, all[i])
		})
	}
}

// checkRestored restores an archive into an empty database. Each table must have the rows of the
// original, and each token an entry in the audit.
func checkRestored(t *testing.T, archive []byte, want map[string]backup.Sum) {
	t.Helper()
	url := pgtest.URL(t)
	expect.NoError(t, restore(t.Context(), url, archive, false))
	again := pgtest.Dataset(t, url, postgres.Options{})
	_, got := backedUp(t, again)
	for name, sum := range want {
		if got[name] != sum && name != "settings" { // a restore marks the index as not built
			t.Errorf("table %s: %+v, want %+v", name, got[name], sum)
		}
	}
	issued := len(entries(t, again, audit.Filter{Action: "token.issued"}))
	if _, err := audit.Verify(t.Context(), again.Audit(), ""); err != nil || int64(issued) != got["tokens"].Rows {
		t.Errorf("%d tokens in the audit, %d there; %v", issued, got["tokens"].Rows, err)
	}
}
