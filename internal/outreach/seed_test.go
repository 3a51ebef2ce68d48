package outreach_test

import (
	"sync"
	"testing"
	"time"

	"kith/internal/outreach"
)

func TestEveryUserIsSeededOnce(t *testing.T) {
	d := newDataset(t, 3)
	a, b := d.user(t, "u1"), d.user(t, "u2")
	build := func(now time.Time) ([]outreach.Loaded, error) {
		return []outreach.Loaded{{
			Sequence: outreach.Sequence{Name: "Given", Status: outreach.SequenceActive},
			Leads: []outreach.LoadedLead{{
				Lead: outreach.Lead{PersonID: 1, Status: outreach.LeadActive},
				Emails: []outreach.LoadedEmail{{Email: outreach.Email{
					Subject: "Hi", Status: outreach.EmailSent,
					OpenedAt: &now,
				}}},
			}},
		}}, nil
	}
	// Two processes seed at once.
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 3 {
				if err := d.db.Outreach().Seed(t.Context(), a.UserID, build); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if err := d.db.Outreach().Seed(t.Context(), b.UserID, build); err != nil {
		t.Error(err)
	}
	for user, want := range map[int64]int{a.UserID: 1, b.UserID: 1} {
		var n int
		if err := d.db.Pool().QueryRow(t.Context(),
			"select count(*) from sequences where user_id = $1 and sent = 1 and opened = 1",
			user).Scan(&n); err != nil || n != want {
			t.Errorf("user %d has %d sequences, %v", user, n, err)
		}
	}
	recounted(t, d.db.Pool())
}
