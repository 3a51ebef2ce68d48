package outreach_test

import (
	"testing"

	"kith"
	"kith/internal/outreach"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func invalid(a outreach.Integration) error { return kith.InvalidFields(a.Check()) }

func TestIntegrationsBelongToTheirUser(t *testing.T) {
	d := newDelivery(t)
	svc := outreach.NewIntegrations(d.outbox, outreach.IntegrationRules{Track: true})
	other := d.dataset.user(t, "u2")
	list, err := svc.List(t.Context(), d.user)
	if err != nil || len(list) != 1 || list[0].ID != 1 || list[0].Password != "" || list[0].Policy != policy() {
		t.Errorf("integrations: %+v, %v", list, err)
	}
	if list, err := svc.List(t.Context(), other); err != nil || len(list) > 0 {
		t.Errorf("integrations of another user: %+v, %v", list, err)
	}
	wantCode(t, svc.Delete(t.Context(), other, 1), "INTEGRATION_NOT_FOUND")
	if err := svc.Delete(t.Context(), d.user, 1); err != nil {
		t.Error(err)
	}
	wantCode(t, svc.Delete(t.Context(), d.user, 1), "INTEGRATION_NOT_FOUND")
	if next := d.integrate(t, policy()); next.ID != 2 {
		t.Errorf("an id was reused: %d", next.ID)
	}
}

func TestIntegrationsAreLimited(t *testing.T) {
	d := newDelivery(t)
	svc := outreach.NewIntegrations(d.outbox, outreach.IntegrationRules{Track: true})
	pgtest.Exec(t, d.db, `insert into integrations (user_id, id, host, port, security, username, password, from_address,
			from_name, zone, window_start, window_end, per_hour, per_day, gap_seconds, created_at)
		select user_id, n, host, port, security, username, password, from_address, from_name, zone, window_start,
			window_end, per_hour, per_day, gap_seconds, created_at
		from integrations, generate_series(2, $1::int) n`, outreach.MaxIntegrations)
	integration := outreach.Integration{
		Host: "smtp.example.com", Port: 587, Security: outreach.SecuritySTARTTLS,
		From: "me@acme.example", Policy: policy(),
	}
	_, err := svc.Create(t.Context(), d.user, integration)
	wantCode(t, err, "TOO_MANY_INTEGRATIONS")
	expect.NoError(t, svc.Delete(t.Context(), d.user, 7))
	if a, err := svc.Create(t.Context(), d.user, integration); err != nil || a.ID != outreach.MaxIntegrations+1 {
		t.Errorf("integration after a deletion: %+v, %v", a, err)
	}
}
