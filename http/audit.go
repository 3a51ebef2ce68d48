package http

import (
	"context"
	"net/http"
	"time"

	"kith"
	"kith/internal/audit"
)

// Audit is what the server needs of the audit: its entries, and to note in it who reads
// what is held on people. A note is committed when its function returns.
type Audit interface {
	audit.Log
	// Note notes something that changes nothing.
	Note(ctx context.Context, action, subject string, detail any) error
	// Read notes that data of people was read.
	Read(ctx context.Context, action string, people []kith.Person) error
}

// Actions of the audit that are told here.
const (
	actionEnriched  = "people.enriched"
	actionAddresses = "addresses.read"
	actionTable     = "people.exported"
)

const maxAction = 100

// auditEntries is a page of the audit.
type auditEntries struct {
	Entries []audit.Entry `json:"entries"`
}

// readAudit answers GET /v2/audit: entries about all apps, oldest first.
func (s *Server) readAudit(w http.ResponseWriter, r *http.Request) error {
	p, err := pageOf(r, choice{name: "action", check: checkAction}, choice{name: "since", check: checkTime})
	if err != nil {
		return err
	}
	d := keyCallerFrom(r.Context()).directory
	f := audit.Filter{Action: p.chosen["action"], N: p.limit + 1}
	if text := p.chosen["since"]; text != "" {
		f.Since, _ = time.Parse(time.RFC3339, text) // checked above
	}
	cursor := listCursor{seal: d.Seal, purpose: "audit", binding: p.chosen["action"] + "/" + p.chosen["since"]}
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

// addressesRead notes that a user got e-mails, with the addresses that they go to.
func addressesRead(ctx context.Context, c caller, of string, n int) error {
	if n == 0 {
		return nil
	}
	return c.directory.Audit.Note(ctx, actionAddresses, of, map[string]any{"count": n})
}

func checkAction(text string) (code, message string) {
	if text == "" || len(text) > maxAction {
		return "INVALID_VALUE", "must be an action such as token.issued, or what several begin with, such as token."
	}
	return "", ""
}

func checkTime(text string) (code, message string) {
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return "INVALID_VALUE", "must be a time such as 2026-03-01T00:00:00Z"
	}
	return "", ""
}
