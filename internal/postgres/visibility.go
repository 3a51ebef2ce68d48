package postgres

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/index/load"
)

// sight is whose records somebody may see: nil for those of all owners, which is how
// commands of the operator read.
type sight []string

// seenBy is whose records the caller of ctx may see: everyone's, the caller's own, those
// of the app, and those of users who share them, with the app or with a team of both. It is
// the one place that says so: searches, look-ups, paths and suggestions all ask it. Nobody
// signed in is the operator.
func seenBy(ctx context.Context, on querier) (sight, error) {
	actor, ok := kith.ActorFrom(ctx)
	if !ok {
		return nil, nil
	}
	seen := sight{load.Everyone}
	var key string
	err := forEach(ctx, on, "whose records are visible", []any{&key}, func() error {
		seen = append(seen, key)
		return nil
	}, `select o.key from owners o left join users u on u.id = o.user_id
		where o.app_id = $1 or o.user_id = $2 or (u.app_id = $1 and (u.sharing = 'community' or u.sharing = 'team' and
		exists (
			select from team_members a join team_members b using (team_id) where a.user_id = $2 and b.user_id = u.id)))
		order by o.key`, actor.AppID, actor.UserID)
	return seen, err
}

// ownBy is whose records a user may name: everyone's, the user's own and the app's. What
// others share may be withdrawn, so nothing is stored that depends on it.
func ownBy(ctx context.Context, on querier, users []int64) (map[int64]sight, error) {
	own := map[int64]sight{}
	for _, user := range users {
		own[user] = sight{load.Everyone, userOwner(user)}
	}
	var user, app int64
	err := forEach(ctx, on, "apps of users", []any{&user, &app}, func() error {
		own[user] = append(own[user], appOwner(app))
		return nil
	}, "select id, app_id from users where id = any($1)", users)
	return own, err
}

// nameable leaves 0 of those people whose records a user may not name.
func nameable(ctx context.Context, on querier, user int64, people []int64) ([]int64, error) {
	own, err := ownBy(ctx, on, []int64{user})
	if err != nil {
		return nil, err
	}
	may, err := collect(ctx, on, "people who may be named", pgx.RowTo[int64],
		"select id from people where id = any($1) and owner = any($2)", people, []string(own[user]))
	named, out := setOf(may), make([]int64, len(people))
	for i, id := range people {
		if named[id] {
			out[i] = id
		}
	}
	return out, err
}

func userOwner(user int64) string { return "user:" + strconv.FormatInt(user, 10) }
func appOwner(app int64) string   { return "app:" + strconv.FormatInt(app, 10) }

// has reports whether the records of an owner are visible.
func (s sight) has(owner string) bool { return s == nil || slices.Contains(s, owner) }

// key tells sights apart.
func (s sight) key() string { return strings.Join(s, ",") }

// Visible implements the Sight of internal/search. Where no record has an owner whom the caller
// does not see, all is true and owners need not be asked for.
func (db *DB) Visible(ctx context.Context) (owners []string, all bool, err error) {
	seen, err := seenBy(ctx, db.pool)
	if err != nil || seen == nil {
		return nil, err == nil, err
	}
	hidden, err := value[bool](ctx, db.pool, "whose records are hidden",
		"select exists (select from owners where key <> all ($1))", []string(seen))
	return seen[1:], !hidden, err
}

// UserOwner names a user as the owner of records: see [load.WithOwner].
func (nw *Network) UserOwner(ctx context.Context, user int64) (string, error) {
	err := exec(ctx, nw.db.pool, "owner of records",
		"insert into owners (key, user_id) values ($1, $2) on conflict do nothing", userOwner(user), user)
	return userOwner(user), err
}

// AppOwner names an app as the owner of records.
func (nw *Network) AppOwner(ctx context.Context, app int64) (string, error) {
	err := exec(ctx, nw.db.pool, "owner of records",
		"insert into owners (key, app_id) values ($1, $2) on conflict do nothing", appOwner(app), app)
	return appOwner(app), err
}
