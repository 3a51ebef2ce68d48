package record

import (
	"context"

	"kith"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
)

// Visible implements Sight of internal/search. all is true if no record has an owner hidden from the viewer; owners can
// then be ignored.
func (db *Store) Visible(ctx context.Context, v kith.Viewer) (owners []string, all bool, self int64, err error) {
	seen, err := access.VisibleOwners(ctx, db.Querier(), v)
	if err != nil || seen == nil {
		return nil, err == nil, 0, err
	}
	actor, _ := v.User()
	err = db.Querier().QueryRow(ctx, `select not exists (select from owners where key <> all ($1)),
		coalesce((select person_id from users where id = $2), 0)`, []string(seen), actor.UserID).Scan(&all, &self)
	return seen, all && len(seen) > 0, self, conn.Named("hidden owners", err)
}
