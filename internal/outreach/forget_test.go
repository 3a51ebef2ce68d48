package outreach_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"kith"
	"kith/internal/outreach"
	"kith/internal/record/privacy"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// An erased person gets no e-mail, although no record names the person. No app sends to the erased address, and an
// app still refuses an address that it had suppressed.
func TestErasedAddressesAreRefused(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2, 3)
	old := d.approved(t, s.ID, leads[2], 1, false)
	pgtest.Exec(t, d.db, "update emails set to_address = 'Old3@example.com' where id = $1", old.ID)
	suppress(t, d.db, d.user, "old3@example.com")
	got, err := privacy.New(d.db.Privacy(nil)).Forget(t.Context(),
		[]string{"https://social.example/in/p3", "new@example.com"}, kith.OperatorPrincipal())
	if err != nil || got[0].Status != privacy.Forgotten || got[1].Status != privacy.Suppressed {
		t.Fatal(got, err)
	}
	var clear int
	err = d.db.Pool().QueryRow(t.Context(),
		"select count(*) filter (where address like '%@%') from suppressions").Scan(&clear)
	if err != nil || clear != 0 {
		t.Errorf("%d addresses are readable, %v", clear, err)
	}
	first, second := d.approved(t, s.ID, leads[0], 1, false), d.approved(t, s.ID, leads[1], 1, false)
	pgtest.Exec(t, d.db, "update emails set to_address = 'P3@example.com' where id = $1", first.ID)
	pgtest.Exec(t, d.db, "update emails set to_address = 'OLD3@example.com' where id = $1", second.ID)
	d.pass(t)
	for _, email := range []*outreach.Email{first, second} {
		if e, _ := d.state(t, s.ID, email.ID); e.Status != outreach.EmailCanceled {
			t.Errorf("the e-mail to %s is %s", e.To, e.Status)
		}
	}
	if len(d.post.taken) != 0 {
		t.Errorf("e-mails to erased addresses: %+v", d.post.taken)
	}
	pgtest.Exec(t, d.db, "update people set email = 'old3@example.com' where id = 4")
	other, _ := d.sequence(t, d.user, "Q4")
	if added := d.add(t, d.user, other.ID, 4); added[0].Refusal == nil || added[0].Refusal.Code != "SUPPRESSED" {
		t.Errorf("adding a lead with an erased address: %+v", added[0])
	}
}

// An unsubscription that waits for an erasure of its address does not store the address again, not even if the e-mail
// was another person's.
func TestUnsubscribeDuringAnErasureStoresNoAddress(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	e := d.approved(t, s.ID, leads[0], 1, false)
	pgtest.Exec(t, d.db, "update emails set to_address = 'P2@example.com' where id = $1", e.ID)
	tx, err := d.db.Pool().Begin(t.Context())
	expect.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }() // the test commits it
	_, err = tx.Exec(t.Context(), "select from leads for update")
	expect.NoError(t, err)
	var all errgroup.Group
	all.Go(func() error {
		_, err := privacy.New(d.db.Privacy(nil)).Forget(t.Context(), []string{"https://social.example/in/p2"},
			kith.OperatorPrincipal())
		return err
	})
	pgtest.AwaitBlocked(t, d.db)
	all.Go(func() error { return d.outbox.Unsubscribe(t.Context(), d.user.UserID, e.ID, "p2@example.com", d.now) })
	pgtest.AwaitAllBlocked(t, d.db, 2)
	expect.NoError(t, tx.Commit(t.Context()))
	expect.NoError(t, all.Wait())
	list, _, err := d.svc.Suppressions(t.Context(), d.user, outreach.Page{N: 10})
	expect.NoError(t, err)
	expect.Len(t, "suppressions", list, 0)
}

// An opt-out whose e-mail an erasure removed outlasts the cancellation of the erasure, and names nobody before.
func TestOptOutsOutlastCanceledErasures(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	e := d.approved(t, s.ID, leads[0], 1, false)
	_, err := d.svc.Suppress(t.Context(), d.user, "p1@example.com")
	expect.NoError(t, err)
	svc := privacy.New(d.db.Privacy(vault(t)))
	done, err := svc.Schedule(t.Context(), []string{"https://social.example/in/p1"}, "operator",
		kith.OperatorPrincipal())
	expect.NoError(t, err)
	expect.NoError(t, d.outbox.Unsubscribe(t.Context(), d.user.UserID, e.ID, "p1@example.com", d.now))
	var readable int
	expect.NoError(t, d.db.Pool().QueryRow(t.Context(),
		"select count(*) from suppressions where address like '%@%'").Scan(&readable))
	expect.Values(t, "readable suppressions", []any{readable}, 0)
	expect.NoError(t, svc.Cancel(t.Context(), done[0].Erasure, kith.OperatorPrincipal()))
	list, _, err := d.svc.Suppressions(t.Context(), d.user, outreach.Page{N: 10})
	expect.NoError(t, err)
	expect.Len(t, "suppressions", list, 1)
	expect.NoError(t, d.svc.Release(t.Context(), d.user, list[0].ID))
	d.pass(t)
	if got, _ := d.state(t, s.ID, e.ID); got.Status != outreach.EmailCanceled || len(d.post.taken) > 0 {
		t.Errorf("the e-mail is %s, sent are %+v", got.Status, d.post.taken)
	}
}

// An erasure also deletes the erased person's address from answers of mail servers, even if the e-mail belonged to
// another lead.
func TestErasureRemovesAddressesFromServerAnswers(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	e := d.approved(t, s.ID, leads[0], 1, false)
	pgtest.Exec(t, d.db, "update emails set to_address = 'P3@example.com' where id = $1", e.ID)
	d.post.fail = func(m outreach.Message) error {
		return &outreach.Refused{Reason: "550 <" + m.To + ">: no such user, nor is p33@example.com"}
	}
	d.pass(t)
	if _, lead := d.state(t, s.ID, e.ID); lead.LatestUpdate != "E-mail not sent: 550 <P3@example.com>: no such user, "+
		"nor is p33@example.com" {
		t.Fatal(lead.LatestUpdate)
	}
	if _, err := privacy.New(d.db.Privacy(nil)).Forget(t.Context(), []string{"https://social.example/in/p3"},
		kith.OperatorPrincipal()); err != nil {
		t.Fatal(err)
	}
	var answers string
	err := d.db.Pool().QueryRow(t.Context(),
		"select latest_update || '|' || (select string_agg(reason, '|' order by id) from outreach_history where "+
			"reason "+
			"like '550%') from leads").Scan(&answers)
	if want := "E-mail not sent: 550 <[forgotten]>: no such user, nor is p33@example.com|550 <[forgotten]>: no such " +
		"user, nor is p33@example.com"; err != nil || answers != want {
		t.Errorf("answers of the server after the erasure: %q, %v", answers, err)
	}
}

// The name of an erased introducer disappears from an e-mail. The rest stays, even if the name equals a tag, a
// member, or a letter of an escape.
func TestErasureLeavesTheRestOfAnEmail(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	for _, name := range []string{"N", "Text", "Body", "HTML_Body", "P", `Jo "\n" O'Hara <&>`} {
		lead := outreach.LeadChange{
			SetIntroducers: true,
			Introducers:    []outreach.Introducer{{Name: name, SocialIdentifier: "the-introducer"}},
		}
		if _, err := d.svc.ChangeLead(t.Context(), d.user, s.ID, leads[0], lead); err != nil {
			t.Fatal(err)
		}
		body := func(name string) string { return "Hello\nthere,\n\n" + name + ` says "hi"` }
		drafted, err := d.svc.Draft(t.Context(), d.user, s.ID, leads[0],
			outreach.Draft{Subject: "From " + name, Body: body(name)})
		expect.NoError(t, err)
		got, err := privacy.New(d.db.Privacy(nil)).
			Forget(t.Context(), []string{"https://social.example/in/the-introducer"},
				kith.OperatorPrincipal())
		if err != nil || got[0].Status != privacy.Suppressed {
			t.Fatal(name, got, err)
		}
		e, _ := d.state(t, s.ID, drafted.Email.ID)
		if want := outreach.Written(body("[forgotten]")); *e.Content != *want || e.Subject != "From [forgotten]" {
			t.Errorf("%s: %+v", name, e)
		}
		pgtest.Exec(t, d.db, "delete from suppressed")
	}
}

// The answer to a change of a lead has no erased introducer, because none is stored.
func TestErasedIntroducersAreNotAnswered(t *testing.T) {
	d := newDataset(t, 3)
	a := d.user(t, "u1")
	s, leads := d.sequence(t, a, "Q3", 1)
	_, err := privacy.New(d.db.Privacy(nil)).Forget(t.Context(), []string{"https://social.example/in/p2"},
		kith.OperatorPrincipal())
	expect.NoError(t, err)
	changed, err := d.svc.ChangeLead(t.Context(), a, s.ID, leads[0], outreach.LeadChange{
		SetIntroducers: true,
		Introducers:    []outreach.Introducer{{SocialIdentifier: "p2", Name: "Person 2"}},
	})
	if err != nil || len(changed.Introducers) > 0 {
		t.Errorf("changed lead: %+v, %v", changed, err)
	}
}

// Users decide about e-mails, change leads and add introducers during an erasure. The person is gone, and no
// request fails.
func TestErasureSucceedsWhileLeadsChange(t *testing.T) {
	const people = 30
	d := newDataset(t, people+2)
	a := d.user(t, "u1")
	s, kept := d.sequence(t, a, "Q3", people+1)
	forget := privacy.New(d.db.Privacy(nil))
	for id := range int64(people) {
		lead := d.add(t, a, s.ID, id+1)[0].Lead.ID
		activities := []int64{d.draft(t, a, s.ID, lead).ID, d.draft(t, a, s.ID, lead).ID}
		var all errgroup.Group
		all.Go(func() error {
			_, err := forget.Forget(
				t.Context(), []string{fmt.Sprintf("https://social.example/in/p%d", id+1)}, kith.OperatorPrincipal(),
			)
			return err
		})
		for _, activity := range activities {
			all.Go(func() error { return d.decideUntilGone(t.Context(), a, activity) })
		}
		all.Go(func() error {
			introduced := outreach.LeadChange{
				SetIntroducers: true,
				Introducers:    []outreach.Introducer{{SocialIdentifier: fmt.Sprintf("p%d", id+1)}},
			}
			_, err := d.svc.ChangeLead(t.Context(), a, s.ID, kept[0], introduced)
			return err
		})
		expect.NoError(t, all.Wait())
		left, _, err := d.svc.Leads(t.Context(), a, s.ID, outreach.LeadQuery{Page: outreach.Page{N: people}})
		if err != nil || len(left) != 1 || len(left[0].Introducers) > 0 {
			t.Fatalf("leads after the erasure: %+v, %v", left, err)
		}
	}
}

// decideUntilGone changes the decision until the activity no longer exists.
func (d *dataset) decideUntilGone(ctx context.Context, a kith.Actor, activity int64) error {
	for {
		for _, decision := range slices.Backward(outreach.Decisions()) {
			_, err := d.svc.Decide(ctx, a, activity, outreach.ActivityChange{Decision: &decision})
			if kith.KindOf(err) == kith.NotFound && err != nil {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
}
