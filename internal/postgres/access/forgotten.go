package access

import (
	"context"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/conn"
	"kith/query/analysis"
)

// Social is the hash of a social identifier, for people without other identifiers.
func (s Suppression) Social(id string) []byte { return s.hash("social:" + id) }

// parseIdentifier parses an identifier from users or files. hash is the one under which an erased person would be
// suppressed, nil if the text is not an identifier. socialID is the social identifier, if it is one; a stored person
// may have it, too.
func (s Suppression) parseIdentifier(identifier string) (hash []byte, socialID string) {
	switch kind, key := analysis.Identifier(identifier); kind {
	case analysis.ProfileIdentifier:
		return s.Profile(key), ""
	case analysis.EmailIdentifier:
		return s.Email(key), ""
	case analysis.SocialIdentifier:
		return s.Social(key), key
	}
	return nil, ""
}

// ForgottenAmong reports which identifiers belong to erased people, who must not come back under them. Answer i belongs
// to identifier i.
func ForgottenAmong(ctx context.Context, db *conn.DB, q conn.Querier, identifiers []string) ([]bool, error) {
	out := make([]bool, len(identifiers))
	s, err := ReadSuppression(ctx, db, q)
	if err != nil || !s.Anyone || len(identifiers) == 0 {
		return out, err
	}
	hashes, socialIDs := make([][]byte, len(identifiers)), make([]string, len(identifiers))
	for i, id := range identifiers {
		hashes[i], socialIDs[i] = s.parseIdentifier(id)
	}
	gone, err := conn.Collect(ctx, q, "forgotten people", pgx.RowTo[int], `select k.i
		from unnest($1::bytea[], $2::text[]) with ordinality k (hash, social_id, i)
		join suppressed s on s.hash = k.hash
		where k.social_id = '' or not exists (select from people p where p.social_id = k.social_id)`, hashes, socialIDs)
	for _, i := range gone {
		out[i-1] = true
	}
	return out, err
}
