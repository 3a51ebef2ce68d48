package record

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"kith/internal/postgres/conn"
	"kith/query/analysis"
)

// introductions are the mentions of one person as introducer of leads: parallel lists of leads and of the identifiers
// and names there.
type introductions struct {
	users, leads       []int64
	identifiers, names []string
}

// findIntroductions finds the leads that name a person, stored or not, as introducer. Leads keep identifiers as users
// gave them: a social identifier, a profile URL in any form, or an e-mail address.
func findIntroductions(ctx context.Context, q conn.Querier, s subject) (introductions, error) {
	var out introductions
	keys := append([]string{s.socialID, strings.ToLower(url.PathEscape(s.socialID))}, s.addresses...)
	var user, lead int64
	var identifier, name string
	err := conn.ForEach(ctx, q, "introducers", []any{&user, &lead, &identifier, &name}, func() error {
		if s.matches(identifier, name) {
			out.users, out.leads = append(out.users, user), append(out.leads, lead)
			out.identifiers, out.names = append(out.identifiers, identifier), append(out.names, name)
		}
		return nil
	}, `select l.user_id, l.id, i ->> 'social_identifier', coalesce(i ->> 'name', '')
		from leads l, jsonb_array_elements(l.introducers) i
		where l.introducers <> '[]' and introducer_keys(l.introducers) && array_remove($1::text[], '')
		order by 1, 2`, keys)
	return out, err
}

// matches reports whether an identifier and name given by a user are the person's. A social identifier shared with
// somebody else also needs the name.
func (s subject) matches(identifier, name string) bool {
	switch kind, key := analysis.Identifier(identifier); kind {
	case analysis.ProfileIdentifier:
		return key == s.socialKey
	case analysis.EmailIdentifier:
		return slices.Contains(s.addresses, key)
	case analysis.SocialIdentifier:
		return key == s.socialID && (!s.sharedID || s.fullName != "" && strings.EqualFold(name, s.fullName))
	}
	return false
}
