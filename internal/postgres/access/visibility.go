package access

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/postgres/conn"
	"kith/internal/record"
)

// Sight is the set of owners whose records a caller may see; nil is all, for commands of the operator.
type Sight []string

// VisibleOwners returns the owners whose records a viewer may see. For a user these are everyone, the user, the app,
// and users who share with the app or with a team of both. It is the only place that decides this: searches, look-ups,
// paths and suggestions all use it.
func VisibleOwners(ctx context.Context, on conn.Querier, v kith.Viewer) (Sight, error) {
	if v.IsOperator() {
		return nil, nil
	}
	if v.IsPublic() {
		return Sight{record.Everyone}, nil
	}
	actor, ok := v.User()
	if !ok {
		return Sight{}, nil
	}
	seen := Sight{record.Everyone}
	var key string
	err := conn.ForEach(ctx, on, "visible owners", []any{&key}, func() error {
		seen = append(seen, key)
		return nil
	}, `select o.key from owners o left join users u on u.id = o.user_id
		where o.app_id = $1 or o.user_id = $2 or (u.app_id = $1 and (u.sharing = 'community' or u.sharing = 'team' and
		exists (
			select from team_members a join team_members b using (team_id) where a.user_id = $2 and b.user_id = u.id)))
		order by o.key`, actor.AppID, actor.UserID)
	return seen, err
}

// OwnersInApp returns everyone, an app and its users: the owners whose records the keys of the app may ask about.
func OwnersInApp(ctx context.Context, on conn.Querier, app int64) (Sight, error) {
	keys, err := conn.Collect(ctx, on, "owners of an app", pgx.RowTo[string], `select o.key from owners o
		left join users u on u.id = o.user_id where o.app_id = $1 or u.app_id = $1 order by o.key`, app)
	return append(Sight{record.Everyone}, keys...), err
}

// OwnBy returns the owners whose records each user may refer to: everyone's, the user's own and the app's. Records
// shared by others may be withdrawn, so no stored data may depend on them.
func OwnBy(ctx context.Context, on conn.Querier, users []int64) (map[int64]Sight, error) {
	own := map[int64]Sight{}
	for _, user := range users {
		own[user] = Sight{record.Everyone, UserOwner(user)}
	}
	var user, app int64
	err := conn.ForEach(ctx, on, "apps of users", []any{&user, &app}, func() error {
		own[user] = append(own[user], AppOwner(app))
		return nil
	}, "select id, app_id from users where id = any($1)", users)
	return own, err
}

// UserOwner is the owner key of a user's records.
func UserOwner(user int64) string { return "user:" + strconv.FormatInt(user, 10) }

// AppOwner is the owner key of an app's records.
func AppOwner(app int64) string { return "app:" + strconv.FormatInt(app, 10) }

// Has reports whether the records of an owner are visible.
func (s Sight) Has(owner string) bool { return s == nil || slices.Contains(s, owner) }

// Key identifies a sight in cache keys.
func (s Sight) Key() string { return strings.Join(s, ",") }
