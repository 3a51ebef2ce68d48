package kill_test

import (
	"net/http"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// The embedded Postgres is killed under a server. No other kith is running that could start it again.
func TestServerRestartsKilledPostgres(t *testing.T) {
	e2e.AloneOnEngines(t, func(t *testing.T, k e2e.Kith) {
		g := e2e.Generate(t)
		people := g.People[:200]
		k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson", people))
		s := k.Serve(t, e2e.Unlimited()...)
		token := k.LiveToken(t)
		// A connection from before the kill may still fail one request after the recovery.
		finds := func(people []e2e.Record) {
			e2e.Eventually(t, "the server is ready and finds everyone", func() bool {
				if s.Get(t, "/readyz", "").Status != http.StatusOK {
					return false
				}
				a := s.Post(t, "/v2/people/search", token, e2e.ListOf(people))
				return a.Status == http.StatusOK && len(e2e.DecodePage(t, a).Data) == len(people)
			})
		}
		for range 2 {
			killed, err := k.PostgresPID()
			expect.NoError(t, err)
			k.KillPostgres(t)
			// Until the server notices, old backends keep answering.
			e2e.Eventually(t, "there is another server", func() bool {
				pid, err := k.PostgresPID()
				return err == nil && pid != killed
			})
			finds(people)
		}
		k.Run(t, "load", k.Write(t, "people-more.ndjson", g.People[200:250]))
		finds(g.People[:250])
	})
}
