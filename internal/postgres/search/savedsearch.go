package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	"kith/internal/search/saved"
)

const searchColumns = "s.id, s.name, s.request, s.created_at, s.seen_at, s.failure"

// SaveSearch implements [saved.SearchStore].
func (s *Saved) SaveSearch(ctx context.Context, a kith.Actor, keep saved.Search, seen []int64,
	most int,
) (out saved.Search, err error) {
	err = s.db.InTx(ctx, "save search", func(tx pgx.Tx) error {
		if err := conn.LockUser(ctx, tx, a.UserID); err != nil {
			return err
		}
		if err := checkQuota(ctx, tx, "saved_searches", a.UserID, most, "SEARCH_QUOTA"); err != nil {
			return err
		}
		out, err = conn.One(ctx, tx, "save search", saved.NoSearch(), pgx.RowToStructByPos[saved.Search],
			`insert into saved_searches as s (user_id, name, request, seen)
				values ($1, $2, $3::text::jsonb, $4) returning `+searchColumns,
			a.UserID, keep.Name, string(keep.Request), seen)
		if err != nil {
			return err
		}
		return access.Record(ctx, s.db.DB, tx, a.Principal(), "search.saved", searchName(out.ID), nil)
	})
	return out, err
}

func searchName(id int64) string { return fmt.Sprintf("search %d", id) }

// SearchOf implements [saved.SearchStore].
func (s *Saved) SearchOf(ctx context.Context, user, id int64) (saved.Search, error) {
	return conn.One(ctx, s.db.Querier(), "saved search", saved.NoSearch(), pgx.RowToStructByPos[saved.Search],
		"select "+searchColumns+" from saved_searches s where user_id = $1 and id = $2", user, id)
}

// SearchesOf implements [saved.SearchStore].
func (s *Saved) SearchesOf(ctx context.Context, user, after int64, n int) ([]saved.Search, error) {
	return conn.Collect(ctx, s.db.Querier(), "saved searches", pgx.RowToStructByPos[saved.Search],
		"select "+searchColumns+" from saved_searches s where user_id = $1 and id > $2 order by id limit $3", user,
		after, n)
}

// DeleteSearch implements [saved.SearchStore].
func (s *Saved) DeleteSearch(ctx context.Context, a kith.Actor, id int64) error {
	return s.db.InTx(ctx, "delete search", func(tx pgx.Tx) error {
		_, err := conn.One(ctx, tx, "delete search", saved.NoSearch(), pgx.RowTo[int64],
			"delete from saved_searches where user_id = $1 and id = $2 returning id", a.UserID, id)
		if err != nil {
			return err
		}
		return access.Record(ctx, s.db.DB, tx, a.Principal(), "search.deleted", searchName(id), nil)
	})
}

// Unseen implements [saved.Seen].
func (s *Saved) Unseen(ctx context.Context, search int64, people []int64) ([]int64, error) {
	return conn.Collect(ctx, s.db.Querier(), "people who are new", pgx.RowTo[int64], `
		with s as materialized (select unnest(seen) as id from saved_searches where id = $1)
		select p from unnest($2::bigint[]) p where p not in (select id from s)
			and not exists (select from person_records r where r.person_id = p and r.id in (select id from s))
			order by p`, search, people)
}

// survivors selects the people of an array, or those they were merged into.
func survivors(array string) string {
	return "array(select coalesce(r.person_id, n) from unnest(" + array +
		") n left join person_records r on r.id = n)"
}

// SetSeen implements [saved.Seen].
func (s *Saved) SetSeen(ctx context.Context, user, search int64, also []int64,
	change func([]int64) []int64,
) error {
	return s.db.InTx(ctx, "saved search", func(tx pgx.Tx) error {
		known, err := conn.One(ctx, tx, "saved search", saved.NoSearch(), pgx.RowTo[[]int64],
			"select "+survivors("s.seen || $3::bigint[]")+
				" from saved_searches s where user_id = $1 and id = $2 for update", user, search, also)
		if err != nil {
			return err
		}
		return conn.Exec(ctx, tx, "saved search", "update saved_searches set seen = $2, seen_at = now() where id = $1",
			search, change(known))
	})
}

// NextDue implements [saved.Due].
func (s *Saved) NextDue(ctx context.Context, fresh, stale time.Time) (w saved.Watched, ok bool, err error) {
	var request string
	err = s.db.Querier().QueryRow(ctx, "select s.id, s.request::text, "+survivors("s.told")+`, l.version, u.app_id,
		u.id, u.external_id, u.email, u.name
		from saved_searches s join users u on u.id = s.user_id, index_level l
		where (s.evaluated_at < $1 and s.version <> l.version or s.evaluated_at < $2)
			and u.disabled_at is null and exists (select from webhooks h where h.app_id = u.app_id
				and (h.user_id is null or h.user_id = u.id))
		order by s.evaluated_at, s.id limit 1`, fresh, stale).
		Scan(&w.ID, &request, &w.Announced, &w.Version, &w.Actor.AppID, &w.Actor.UserID, &w.Actor.ExternalID,
			&w.Actor.Email, &w.Actor.Name)
	if errors.Is(err, pgx.ErrNoRows) {
		return w, false, nil
	}
	if err != nil {
		return w, false, conn.Named("saved searches", err)
	}
	w.Request, w.Actor.Scopes = json.RawMessage(request), kith.UserScopes
	return w, true, nil
}

// Evaluated implements [saved.Due].
func (s *Saved) Evaluated(ctx context.Context, w saved.Watched, at time.Time, announced []int64, news int,
	failure string,
) error {
	return s.db.InTx(ctx, "saved search", func(tx pgx.Tx) error {
		err := conn.Exec(ctx, tx, "saved search", `update saved_searches set evaluated_at = $2, version = $3,
			failure = $4, told = case when $4 = '' then $5 else told end where id = $1`,
			w.ID, at, w.Version, failure, announced)
		if err != nil || news == 0 {
			return err
		}
		return conn.Exec(ctx, tx, "announce matches",
			`insert into webhook_events (app_id, webhook_id, user_id, search_id,
			detail, at)
			select h.app_id, h.id, s.user_id, s.id, $2, $3 from saved_searches s join users u on u.id = s.user_id
			join webhooks h on h.app_id = u.app_id and (h.user_id is null or h.user_id = u.id)
			where s.id = $1`, w.ID, map[string]any{"count": news}, at)
	})
}

// Failing is the number of saved searches whose last evaluation failed.
func (s *Saved) Failing(ctx context.Context) (int64, error) {
	return conn.Value[int64](ctx, s.db.Querier(), "failing searches",
		"select count(*) from saved_searches where failure <> ''")
}
