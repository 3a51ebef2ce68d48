package loader

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"kith/internal/record"
)

// Relation is one line of a file of relationships: a person known to a user of an app.
type Relation struct {
	App            string `json:"app"`
	ExternalUserID string `json:"external_user_id"`
	// Identifier is an e-mail address, a profile URL, a social identifier, or "source:" and an id in a source, such
	// as source:crm:4711.
	Identifier string `json:"identifier"`
	// Score is 0 to 10; nil means the default for imports.
	Score *float64 `json:"score"`
	// Types are kinds of relationship; they are added to the stored ones.
	Types []string `json:"types"`
	// ConnectedOn is the first day of the relationship, as YYYY-MM-DD; empty if unknown.
	ConnectedOn string `json:"connected_on"`
}

// Related is the outcome of a relation: Reason says why it was not stored, or is empty.
type Related struct {
	Outcome record.Outcome
	Reason  string
}

// Relations stores relationships.
type Relations interface {
	// PutRelations stores relations in one transaction; entry i of the answer belongs to entry i of the request. It
	// creates unknown users of an app. A rejected relation does not affect the others. number is that of the import
	// that supplies them, or 0.
	PutRelations(ctx context.Context, number int64, relations []Relation) ([]Related, error)
}

// maxUserID is the longest id of a user, in code points.
const maxUserID = 255

func decodeRelation(text []byte) (*Relation, error) {
	r, err := decode[Relation](text, true)
	if err == nil {
		err = checkUser(r.App, r.ExternalUserID)
	}
	if err == nil && r.Identifier == "" {
		err = problem("identifier", "is required")
	}
	return r, err
}

// checkUser checks the app and user of a line.
func checkUser(app, id string) error {
	switch {
	case app == "":
		return problem("app", "is required")
	case id == "":
		return problem("external_user_id", "is required")
	case utf8.RuneCountInString(id) > maxUserID || strings.ContainsFunc(id, unicode.IsControl):
		return problem("external_user_id", "must have at most 255 characters and no control characters")
	}
	return nil
}

// relate stores one batch of relationships.
func (r *run) relate(ctx context.Context, items []item) (result, error) {
	return storeRelated(items, func(it item) *Relation { return it.relation }, func(all []Relation) ([]Related, error) {
		return r.Relations.PutRelations(ctx, r.origin.Import(), all)
	})
}

// storeRelated stores what the lines of a batch hold, except for rejected ones.
func storeRelated[T any](items []item, held func(item) *T, put func([]T) ([]Related, error)) (res result, err error) {
	var values []T
	var from []item
	for _, it := range items {
		if it.reason != "" {
			res.rejected = append(res.rejected, it)
			continue
		}
		values, from = append(values, *held(it)), append(from, it)
	}
	if len(values) == 0 {
		return res, nil
	}
	stored, err := put(values)
	for i, s := range stored {
		res.add(s, from[i])
	}
	return res, err
}

func (res *result) add(s Related, it item) {
	if s.Reason != "" {
		it.reason = s.Reason
		res.rejected = append(res.rejected, it)
		return
	}
	if res.byLine == nil {
		res.byLine = map[int64]record.Outcome{}
	}
	res.byLine[it.line] = s.Outcome
}
