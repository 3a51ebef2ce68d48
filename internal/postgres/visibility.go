package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/record"
)

// sight is the set of owners whose records a caller may see; nil is all, for commands of the operator.
type sight []string

// visibleOwners returns the owners whose records a viewer may see. For a user these are everyone, the user, the app,
// and users who share with the app or with a team of both. It is the only place that decides this: searches, look-ups,
// paths and suggestions all use it.
func visibleOwners(ctx context.Context, on Querier, v kith.Viewer) (sight, error) {
	if v.IsOperator() {
		return nil, nil
	}
	if v.IsPublic() {
		return sight{record.Everyone}, nil
	}
	actor, ok := v.User()
	if !ok {
		return sight{}, nil
	}
	seen := sight{record.Everyone}
	var key string
	err := forEach(ctx, on, "visible owners", []any{&key}, func() error {
		seen = append(seen, key)
		return nil
	}, `select o.key from owners o left join users u on u.id = o.user_id
		where o.app_id = $1 or o.user_id = $2 or (u.app_id = $1 and (u.sharing = 'community' or u.sharing = 'team' and
		exists (
			select from team_members a join team_members b using (team_id) where a.user_id = $2 and b.user_id = u.id)))
		order by o.key`, actor.AppID, actor.UserID)
	return seen, err
}

// ownBy returns the owners whose records each user may refer to: everyone's, the user's own and the app's. Records
// shared by others may be withdrawn, so no stored data may depend on them.
func ownBy(ctx context.Context, on Querier, users []int64) (map[int64]sight, error) {
	own := map[int64]sight{}
	for _, user := range users {
		own[user] = sight{record.Everyone, userOwner(user)}
	}
	var user, app int64
	err := forEach(ctx, on, "apps of users", []any{&user, &app}, func() error {
		own[user] = append(own[user], appOwner(app))
		return nil
	}, "select id, app_id from users where id = any($1)", users)
	return own, err
}

// nameable replaces people whose records a user may not refer to with 0.
func nameable(ctx context.Context, on Querier, user int64, people []int64) ([]int64, error) {
	own, err := ownBy(ctx, on, []int64{user})
	if err != nil {
		return nil, err
	}
	may, err := Collect(ctx, on, "people who may be named", pgx.RowTo[int64],
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

// key identifies a sight in cache keys.
func (s sight) key() string { return strings.Join(s, ",") }

// Visible implements Sight of internal/search. all is true if no record has an owner hidden from the viewer; owners can
// then be ignored.
func (db *DB) Visible(ctx context.Context, v kith.Viewer) (owners []string, all bool, self int64, err error) {
	seen, err := visibleOwners(ctx, db.pool, v)
	if err != nil || seen == nil {
		return nil, err == nil, 0, err
	}
	actor, _ := v.User()
	err = db.pool.QueryRow(ctx, `select not exists (select from owners where key <> all ($1)),
		coalesce((select person_id from users where id = $2), 0)`, []string(seen), actor.UserID).Scan(&all, &self)
	if err != nil {
		return nil, false, 0, fmt.Errorf("hidden owners: %w", classify(err))
	}
	return seen, all && len(seen) > 0, self, nil
}

// UserOwner returns the owner key of a user, registering it: see [record.OwnedBy].
func (nw *Network) UserOwner(ctx context.Context, user int64) (string, error) {
	err := Exec(ctx, nw.db.pool, "owner of records",
		"insert into owners (key, user_id) values ($1, $2) on conflict do nothing", userOwner(user), user)
	return userOwner(user), err
}

// AppOwner returns the owner key of an app, registering it.
func (nw *Network) AppOwner(ctx context.Context, app int64) (string, error) {
	err := Exec(ctx, nw.db.pool, "owner of records",
		"insert into owners (key, app_id) values ($1, $2) on conflict do nothing", appOwner(app), app)
	return appOwner(app), err
}
