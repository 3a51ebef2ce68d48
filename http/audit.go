package http

import (
	"context"
	"net/http"
	"time"

	"kith"
	"kith/internal/access/audit"
)

// Audit is the part of the audit log that the server needs: its entries, and records of access to
// personal data. An entry is committed when the function returns, except in a transaction.
type Audit interface {
	audit.Log
	// Note records an action that changes nothing.
	Note(ctx context.Context, by kith.Principal, action, subject string, detail any) error
	// Read records that personal data was read.
	Read(ctx context.Context, by kith.Principal, action string, people []kith.Person) error
}

// Actions that this package records.
const (
	actionEnriched  = "people.enriched"
	actionAddresses = "addresses.read"
	actionTable     = "people.exported"
)

const maxAction = 100

// readAudit answers GET /v2/audit: entries about all apps, oldest first.
func readAudit(w http.ResponseWriter, r *http.Request) error {
	d, query := keyCallerFrom(r.Context()).dataset, r.URL.Query()
	f := audit.Filter{Action: query.Get("action")}
	f.Since, _ = time.Parse(time.RFC3339, query.Get("since")) // wrongTime refuses what cannot be parsed
	list := listing[int64]{
		seal: d.Seal, purpose: "audit", binding: f.Action + "/" + query.Get("since"), member: "entries",
	}
	return answerList(w, r, nil, list, readPage(func(after int64, n int) (found []audit.Entry, err error) {
		f.After, f.N = after, n
		err = d.Audit.Each(r.Context(), f, func(e audit.Entry) error { found = append(found, e); return nil })
		return found, err
	}), func(e audit.Entry) (audit.Entry, int64) { return e, e.Seq },
		check{"action", wrongAction}, check{"since", wrongTime})
}

// addressesRead records that a user read e-mails or leads with people's addresses.
func addressesRead(ctx context.Context, log Audit, by kith.Principal, of string, n int) error {
	if n == 0 {
		return nil
	}
	return log.Note(ctx, by, actionAddresses, of, map[string]any{"count": n})
}

func wrongAction(text string) string {
	if text == "" || len(text) > maxAction {
		return "must be an action such as token.issued, or a prefix of actions such as token."
	}
	return ""
}

func wrongTime(text string) string {
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return "must be a time such as 2026-03-01T00:00:00Z"
	}
	return ""
}
