package http

import (
	"context"
	"net/http"
	"time"

	"kith"
	"kith/internal/access/audit"
)

// Audit is the part of the audit log that the server needs: its entries, and records of access to
// personal data. An entry is committed when the function returns.
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

// auditEntries is a page of the audit log.
type auditEntries struct {
	Entries []audit.Entry `json:"entries"`
}

// readAudit answers GET /v2/audit: entries about all apps, oldest first.
func readAudit(w http.ResponseWriter, r *http.Request) error {
	p, err := parsePage(r, check{"action", wrongAction}, check{"since", wrongTime})
	if err != nil {
		return err
	}
	d := keyCallerFrom(r.Context()).dataset
	f := audit.Filter{Action: p.query.Get("action"), N: p.limit + 1}
	if text := p.query.Get("since"); text != "" {
		f.Since, _ = time.Parse(time.RFC3339, text) // checked above
	}
	cursor := listCursor[int64]{d.Seal, "audit", p.query.Get("action") + "/" + p.query.Get("since")}
	if f.After, err = cursor.open(p.cursor); err != nil {
		return err
	}
	found := []audit.Entry{}
	err = d.Audit.Each(r.Context(), f, func(e audit.Entry) error { found = append(found, e); return nil })
	if err != nil {
		return err
	}
	more := len(found) > p.limit
	found = found[:min(len(found), p.limit)]
	last := int64(0)
	if len(found) > 0 {
		last = found[len(found)-1].Seq
	}
	respondPage(w, r, auditEntries{found}, cursor.pagination(len(found), more, last))
	return nil
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
