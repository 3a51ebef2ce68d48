package postgres_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/internal/access/audit"
	"kith/internal/access/keys"
	"kith/internal/outreach"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/privacy"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func keeper(t testing.TB, db *postgres.DB, master *keys.Master) *keys.Keeper {
	t.Helper()
	k, err := keys.Open(t.Context(), db.Keys(), master)
	expect.NoError(t, err)
	return k
}

func master(t testing.TB, fill string) *keys.Master {
	t.Helper()
	m, err := keys.NewMaster([]byte(strings.Repeat(fill, 40)))
	expect.NoError(t, err)
	return m
}

// A second dataset gets a different key.
func TestConcurrentStartsMakeOneKey(t *testing.T) {
	url := pgtest.URL(t)
	db, err := postgres.Open(t.Context(), url, postgres.Options{})
	expect.NoError(t, err)
	t.Cleanup(db.Close)
	expect.NoError(t, db.Migrate(t.Context()))
	made := make(chan string, 4)
	for range cap(made) {
		go func() {
			k, err := keys.Open(context.Background(), db.Keys(), nil)
			if err != nil {
				t.Error(err)
				made <- ""
				return
			}
			made <- string(k.Ring().IDs)
		}()
	}
	first := <-made
	for range cap(made) - 1 {
		if first != <-made {
			t.Fatal("the processes made two sealing keys")
		}
	}
	other := keeper(t, pgtest.Dataset(t, url, postgres.Options{Schema: "kith_demo"}), nil)
	if len(first) != 32 || first == string(other.Ring().IDs) {
		t.Fatal("the two datasets share a key, or the key has the wrong length")
	}
}

// Identifiers, links and passwords depend on the keys, so damaged ones must not be replaced. The
// error says how to restore them.
func TestDamagedKeysAreNotReplaced(t *testing.T) {
	for _, damage := range []string{`"cut"`, `{}`, `{"ids":"AAAA","keys":[{"id":1,"secret":"AAAA"}]}`} {
		db := pgtest.NewDataset(t)
		keeper(t, db, nil)
		_, err := db.Pool().Exec(t.Context(), "update settings set value = $1::text::jsonb where key = 'keys'", damage)
		expect.NoError(t, err)
		if _, err = keys.Open(t.Context(), db.Keys(), nil); err == nil ||
			!strings.Contains(err.Error(), "from a backup") || strings.Contains(err.Error(), "delete") {
			t.Errorf("%s: %v", damage, err)
		}
	}
}

// A rotation seals stored secrets again. Tokens open until older keys are dropped, even in a
// process that only follows. Identifiers never change.
func TestRotationResealsSecretsAndKeepsIDs(t *testing.T) {
	db := filled(t)
	k := keeper(t, db, nil)
	var user int64
	expect.NoError(t, db.Pool().QueryRow(t.Context(), "select min(id) from users").Scan(&user))
	delivery := db.Delivery(k.Sealer)
	integration, err := delivery.CreateIntegration(t.Context(),
		outreach.Integration{
			User: user, Host: "mail.example.com", Port: 587, Security: "starttls",
			Password: "hunter2",
		})
	expect.NoError(t, err)
	app := pgtest.App(t, db, "hooked")
	_, err = delivery.AddWebhook(t.Context(), outreach.Subscriber{App: app.ID, By: kith.OperatorPrincipal()},
		outreach.Webhook{URL: "https://example.com/", Secret: "hook"})
	expect.NoError(t, err)
	ids, given := string(k.Ring().IDs), k.Sealer.Seal("page", "x", []byte("cursor"))

	resealed, err := k.Rotate(t.Context(), keys.Rotation{Secrets: keys.OfKith | keys.OfOthers})
	if err != nil || resealed < 4 {
		t.Errorf("%d values were sealed again, %v", resealed, err)
	}
	if _, err := k.Sealer.Open("page", "x", given); err != nil {
		t.Errorf("a cursor from before the rotation: %v", err)
	}
	if _, err := k.Rotate(t.Context(), keys.Rotation{Secrets: keys.OfKith | keys.OfOthers, Drop: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Sealer.Open("page", "x", given); err == nil {
		t.Error("a cursor opens though its key was dropped")
	}
	again := keeper(t, db, nil)
	r := again.Ring()
	expect.Len(t, "keys after the rotation", r.Keys, 1)
	expect.Values(t, "ring after the rotation", []any{string(r.IDs), r.Keys[0].ID, r.Next == nil}, ids, 3, true)
	delivery = db.Delivery(again.Sealer)
	hooks, err := delivery.Webhooks(t.Context(), outreach.Subscriber{App: app.ID})
	expect.NoError(t, err)
	secret, err := delivery.FeedbackSecret(t.Context(), user, integration.ID)
	expect.NoError(t, err)
	a, _, err := delivery.Integration(t.Context(), user, integration.ID, time.Now())
	expect.NoError(t, err)
	expect.Len(t, "webhooks", hooks, 1)
	expect.Values(t, "secrets", []any{hooks[0].Secret, string(secret), a.Password},
		"hook", integration.FeedbackSecret, "hunter2")
	svc := privacy.New(db.Privacy(again.Sealer))
	erasures, err := db.Privacy(again.Sealer).Erasures(t.Context())
	expect.NoError(t, err)
	expect.Len(t, "erasures", erasures, 1)
	if err := svc.Cancel(t.Context(), erasures[0].ID, kith.OperatorPrincipal()); err != nil {
		t.Errorf("an erasure from before the rotation cannot be canceled: %v", err)
	}
	var actions []string
	for _, e := range entries(t, db, audit.Filter{Action: "keys."}) {
		actions = append(actions, e.Action)
	}
	if want := []string{
		"keys.added", "keys.rotated", "keys.added", "keys.rotated",
		"keys.dropped",
	}; !slices.Equal(actions, want) {
		t.Errorf("the audit has %v", actions)
	}
}

// A rotation and a master key keep the suppression key. A ring that lost it gets no other, nor does a dataset that lost
// its ring while erased people depend on it.
func TestSuppressionKeyIsKept(t *testing.T) {
	db := pgtest.NewDataset(t)
	_, err := forget(t.Context(), db, "https://social.example/in/p1")
	expect.NoError(t, err)
	k := keeper(t, db, nil)
	key := k.Ring().Suppression
	_, err = k.Rotate(t.Context(), keys.Rotation{Drop: true})
	expect.NoError(t, err)
	expect.NoError(t, k.Move(t.Context(), master(t, "a")))
	if again := keeper(t, db, master(t, "a")); !bytes.Equal(again.Ring().Suppression, key) {
		t.Error("a rotation changed the suppression key")
	}
	expect.NoError(t, k.Move(t.Context(), nil))
	for _, damage := range []string{
		"update settings set value = value - 'suppression' where key = 'keys'",
		`update settings set value = value || '{"suppression":"AAAA"}' where key = 'keys'`,
		"delete from settings where key = 'keys'",
	} {
		pgtest.Exec(t, db, damage)
		if _, err := keys.Open(t.Context(), db.Keys(), nil); err == nil ||
			!strings.Contains(err.Error(), "from a backup") {
			t.Errorf("%s: %v", damage, err)
		}
	}
}

// The rotation continues with the same key.
func TestInterruptedRotationContinues(t *testing.T) {
	db := pgtest.NewDataset(t)
	k := keeper(t, db, nil)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := k.Rotate(ctx, keys.Rotation{Settle: time.Hour, Progress: func(string) { cancel() }})
	next := k.Ring().Next
	if err == nil || next == nil {
		t.Fatalf("the interrupted rotation returned %v, the ring is %+v", err, k.Ring())
	}
	anew := keeper(t, db, nil)
	if _, err := anew.Sealer.Open("page", "", k.Sealer.Seal("page", "", nil)); err != nil {
		t.Error(err)
	}
	if _, err := anew.Rotate(t.Context(), keys.Rotation{}); err != nil || anew.Ring().Keys[0].ID != next.ID ||
		len(anew.Ring().Keys) != 2 {
		t.Errorf("the second rotation returned %v, the ring is %+v", err, anew.Ring())
	}
}

// With a master key, the database alone opens nothing.
func TestMasterKeyProtectsTheDatabase(t *testing.T) {
	db := pgtest.NewDataset(t)
	pgtest.Load(t, db, record.Companies, `{"id":7,"name":"Acme"}`)
	k := keeper(t, db, nil)
	given, first, second := k.Sealer.Seal("page", "", nil), master(t, "a"), master(t, "b")
	if _, err := keys.Open(t.Context(), db.Keys(), first); err == nil || !strings.Contains(err.Error(),
		"kith keys move") {
		t.Errorf("with an unused master key: %v", err)
	}
	expect.NoError(t, k.Move(t.Context(), first))
	text, err := db.Keys().Ring(t.Context())
	secret, _ := json.Marshal(k.Ring().IDs)
	if err != nil || strings.Contains(string(text), strings.Trim(string(secret), `"`)) ||
		!strings.Contains(string(text), first.Fingerprint) {
		t.Errorf("with a master key the database has the ring %s, %v", text, err)
	}
	for name, m := range map[string]*keys.Master{"none": nil, "another": second} {
		if _, err := keys.Open(t.Context(), db.Keys(), m); err == nil || !strings.Contains(err.Error(),
			first.Fingerprint) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = k.Rotate(t.Context(), keys.Rotation{})
	expect.NoError(t, err)
	expect.NoError(t, keeper(t, db, first).Move(t.Context(), second))
	expect.NoError(t, keeper(t, db, second).Move(t.Context(), nil))
	if _, err := keeper(t, db, nil).Sealer.Open("page", "", given); err != nil {
		t.Error(err)
	}
}
