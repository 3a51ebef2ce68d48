package client_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"kith/client"
)

// connection says what the server does with one request of a stream.
type connection struct {
	wants string // Last-Event-ID
	sends string
	cut   bool
}

func result(index int) string {
	return fmt.Sprintf("id: c%d\nevent: result\ndata: {\"index\":%d,\"person\":{\"id\":%d,\"social_url\":null}}\n\n",
		index, index, 100+index)
}

const (
	metadata = "event: metadata\ndata: {\"request_id\":\"r\"}\n\n"
	counts   = "event: counts\ndata: {\"counts\":{\"global\":{\"value\":3}},\"counts_token\":\"t\"}\n\n"
	done     = "event: done\ndata: {\"complete\":true,\"pagination\":{\"count\":1}}\n\n"
	stage    = "event: stage\ndata: {\"stage\":\"network\",\"complete\":true,\"results\":1}\n\n"
	closest  = "event: stage\ndata: {\"stage\":\"closest\",\"complete\":false,\"results\":%d}\n\n"
	failed   = "event: error\ndata: {\"code\":\"SHUTTING_DOWN\",\"retryable\":true}\n\n" +
		"event: done\ndata: {\"complete\":false}\n\n"
	refused = "event: error\ndata: {\"code\":\"TIMEOUT\",\"retryable\":false}\n\n" +
		"event: done\ndata: {\"complete\":false}\n\n"
)

func serveAll(t *testing.T, local bool, all []connection) *client.Client {
	t.Helper()
	at := 0
	return over(t, local, func(w http.ResponseWriter, r *http.Request) {
		if at == len(all) {
			t.Errorf("request %d is one too many", at+1)
			w.WriteHeader(http.StatusNotFound)
			return
		}
		now := all[at]
		at++
		if got := r.Header.Get("Last-Event-ID"); got != now.wants {
			t.Errorf("request %d resumes at %q, not %q", at, got, now.wants)
		}
		if now.sends == "503" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, now.sends)
		if now.cut {
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	})
}

// names abbreviates the events of a stream.
func names(t *testing.T, c *client.Client) (string, error) {
	t.Helper()
	var all []string
	for event, err := range c.Stream(t.Context(), client.SearchRequest{Prompt: "x"}) {
		if err != nil {
			return strings.Join(all, " "), err
		}
		switch e := event.(type) {
		case *client.Started:
			all = append(all, "started")
		case *client.Result:
			all = append(all, fmt.Sprint(e.Person.ID))
		case *client.Stage:
			all = append(all, e.Stage)
		case *client.Counted:
			all = append(all, "counted")
		case *client.Done:
			all = append(all, "done")
		}
	}
	return strings.Join(all, " "), nil
}

// A broken stream resumes after the last person. Every event arrives once, and no person is missing.
func TestBrokenStreamsResume(t *testing.T) {
	for name, c := range map[string]struct {
		connections []connection
		want        string
		fails       string
	}{
		"whole": {
			[]connection{{"", metadata + stage + result(0) + counts + result(1) + done, false}},
			"started network 100 counted 101 done", "",
		},
		"cut": {
			[]connection{
				{"", metadata + stage + result(0) + counts, true},
				{"c0", metadata + stage + counts + result(1) + done, false},
			},
			"started network 100 counted 101 done", "",
		},
		"cut among the closest": {
			[]connection{
				{"", metadata + fmt.Sprintf(closest, 2) + result(0), true},
				{"c0", metadata + fmt.Sprintf(closest, 1) + result(1) + done, false},
			},
			"started closest 100 101 done", "",
		},
		"cut before the first person": {
			[]connection{{"", metadata, true}, {"", metadata + result(0) + done, false}},
			"started 100 done", "",
		},
		"cut within an event": {
			[]connection{
				{"", metadata + result(0) + "event: result\ndata: {\"ind", true}, {
					"c0", metadata + result(1) + done,
					false,
				},
			},
			"started 100 101 done", "",
		},
		"the server stops": {
			[]connection{
				{"", metadata + result(0) + failed, false}, {"c0", "503", false}, {
					"c0", metadata + result(1) + done,
					false,
				},
			},
			"started 100 101 done", "",
		},
		"people without ids": {[]connection{
			{"", metadata + strings.ReplaceAll(result(0)+result(1), "id: c", "x: "), true},
			{"", metadata + strings.ReplaceAll(result(0)+result(1)+result(2), "id: c", "x: ") + done, false},
		}, "started 100 101 102 done", ""},
		"timed out": {[]connection{{"", metadata + result(0) + refused, false}}, "started 100", "TIMEOUT"},
		"refused":   {[]connection{{"", "503", false}}, "", ""},
		"an unknown event": {
			[]connection{{"", metadata + "event: new\ndata: 1\n\n" + done, false}},
			"started done",
			"",
		},
		"a malformed event": {
			[]connection{{"", metadata + "event: result\ndata: []\n\n", false}, {"", metadata + done, false}},
			"started done", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, local bool) {
				got, err := names(t, serveAll(t, local, c.connections))
				e, _ := errors.AsType[*client.Error](err)
				if got != c.want || c.fails != "" && (e == nil || e.Code != c.fails) || name == "refused" &&
					err == nil {
					t.Errorf("%q, %v; not %q, %q", got, err, c.want, c.fails)
				}
			})
		})
	}
}
