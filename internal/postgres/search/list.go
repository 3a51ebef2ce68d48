// Package search stores lists of people and saved searches.
package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	networksql "kith/internal/postgres/network"
	recordsql "kith/internal/postgres/record"
	"kith/internal/search/saved"
)

var (
	_ saved.ListStore   = (*Saved)(nil)
	_ saved.SearchStore = (*Saved)(nil)
)

// Saved stores lists of people and saved searches.
type Saved struct{ db *recordsql.Store }

// NewSaved returns the store of lists and saved searches.
func NewSaved(db *recordsql.Store) *Saved { return &Saved{db} }

const listColumns = `l.id, l.name, (select count(*) from list_people p
	where p.list_id = l.id), l.created_at, l.updated_at`

// oneList runs a statement that returns one list, or none.
func oneList(ctx context.Context, q conn.Querier, sql string, args ...any) (saved.List, error) {
	return conn.One(ctx, q, "list", saved.NoList(), pgx.RowToStructByPos[saved.List], sql, args...)
}

// CreateList implements [saved.ListStore].
func (s *Saved) CreateList(ctx context.Context, a kith.Actor, name string, most int) (out saved.List, err error) {
	err = s.db.InTx(ctx, "create list", func(tx pgx.Tx) error {
		if err := conn.LockUser(ctx, tx, a.UserID); err != nil {
			return err
		}
		if err := checkQuota(ctx, tx, "lists", a.UserID, most, "LIST_QUOTA"); err != nil {
			return err
		}
		out, err = oneList(ctx, tx, "insert into lists as l (user_id, name) values ($1, $2) returning "+listColumns,
			a.UserID, name)
		if err != nil {
			return err
		}
		return access.Record(ctx, s.db.DB, tx, a.Principal(), "list.created", listName(out.ID), nil)
	})
	return out, err
}

// checkQuota refuses another row if the user already has most; 0 is no limit.
func checkQuota(ctx context.Context, tx pgx.Tx, table string, user int64, most int, code string) error {
	if most == 0 {
		return nil
	}
	n, err := conn.Value[int](ctx, tx, table, "select count(*) from "+table+" where user_id = $1", user)
	if err == nil && n >= most {
		err = kith.Errorf(kith.Conflict, code, "you have %d of at most %d; delete one first", n, most)
	}
	return err
}

func listName(id int64) string { return fmt.Sprintf("list %d", id) }

// ListOf implements [saved.ListStore].
func (s *Saved) ListOf(ctx context.Context, user, list int64) (saved.List, error) {
	return oneList(ctx, s.db.Querier(), "select "+listColumns+" from lists l where l.user_id = $1 and l.id = $2", user,
		list)
}

// ListsOf implements [saved.ListStore].
func (s *Saved) ListsOf(ctx context.Context, user, after int64, n int) ([]saved.List, error) {
	return conn.Collect(ctx, s.db.Querier(), "lists", pgx.RowToStructByPos[saved.List],
		"select "+listColumns+" from lists l where l.user_id = $1 and l.id > $2 order by l.id limit $3", user, after, n)
}

// RenameList implements [saved.ListStore].
func (s *Saved) RenameList(ctx context.Context, user, list int64, name string) (saved.List, error) {
	return oneList(
		ctx,
		s.db.Querier(),
		"update lists l set name = $3, updated_at = now() where l.user_id = $1 and l.id = "+
			"$2 returning "+listColumns,
		user,
		list,
		name,
	)
}

// DeleteList implements [saved.ListStore].
func (s *Saved) DeleteList(ctx context.Context, a kith.Actor, list int64) error {
	return s.db.InTx(ctx, "delete list", func(tx pgx.Tx) error {
		_, err := conn.One(ctx, tx, "delete list", saved.NoList(), pgx.RowTo[int64],
			"delete from lists where user_id = $1 and id = $2 returning id", a.UserID, list)
		if err != nil {
			return err
		}
		return access.Record(ctx, s.db.DB, tx, a.Principal(), "list.deleted", listName(list), nil)
	})
}

// AddPeople implements [saved.ListMembers]. It serialises the changes of a list.
func (s *Saved) AddPeople(ctx context.Context, a kith.Actor, list int64, people []saved.Named,
	most int,
) (out []saved.Changed, err error) {
	err = s.changeList(ctx, a.UserID, list, people, func(tx pgx.Tx, found []int64) error {
		there, err := conn.Collect(ctx, tx, "people of a list", pgx.RowTo[int64],
			"select person_id from list_people where list_id = $1", list)
		if err != nil {
			return err
		}
		var added []int64
		out = changes(found, saved.Added, func(id int64) bool {
			fresh := !slices.Contains(there, id)
			if fresh {
				there, added = append(there, id), append(added, id)
			}
			return fresh
		})
		if len(there) > most {
			return kith.Errorf(kith.Conflict, "LIST_FULL",
				"a list may have at most %d people, and this one would have %d; use another list", most, len(there))
		}
		if len(added) == 0 {
			return nil
		}
		err = conn.Exec(ctx, tx, "add to list", `insert into list_people (list_id, person_id) select $1, p
			from unnest($2::bigint[]) with ordinality as a (p, i) order by i`, list, added)
		if err != nil {
			return err
		}
		return s.changed(ctx, tx, a.Principal(), list, map[string]any{"added": len(added)})
	})
	return out, err
}

// RemovePeople implements [saved.ListMembers].
func (s *Saved) RemovePeople(ctx context.Context, a kith.Actor, list int64,
	people []saved.Named,
) (out []saved.Changed, err error) {
	err = s.changeList(ctx, a.UserID, list, people, func(tx pgx.Tx, found []int64) error {
		gone, err := conn.Collect(ctx, tx, "remove from list", pgx.RowTo[int64],
			"delete from list_people where list_id = $1 and person_id = any($2) returning person_id", list, found)
		if err != nil {
			return err
		}
		n := len(gone)
		out = changes(found, saved.Removed, func(id int64) bool {
			at := slices.Index(gone, id)
			if at >= 0 {
				gone = slices.Delete(gone, at, at+1)
			}
			return at >= 0
		})
		if n == 0 {
			return nil
		}
		return s.changed(ctx, tx, a.Principal(), list, map[string]any{"removed": n})
	})
	return out, err
}

// changeList locks a list and finds the named people; 0 is nobody.
func (s *Saved) changeList(ctx context.Context, user, list int64, people []saved.Named,
	change func(tx pgx.Tx, found []int64) error,
) error {
	return s.db.InTx(ctx, "change list", func(tx pgx.Tx) error {
		if err := s.db.BlockDeletions(ctx, tx); err != nil {
			return err
		}
		_, err := conn.One(ctx, tx, "change list", saved.NoList(), pgx.RowTo[int64],
			"select id from lists where user_id = $1 and id = $2 for update", user, list)
		if err != nil {
			return err
		}
		ids, identifiers := make([]int64, len(people)), make([]string, len(people))
		for i, p := range people {
			ids[i], identifiers[i] = p.ID, p.Identifier
		}
		found, err := networksql.FindPeople(ctx, tx, user, ids, identifiers)
		if err != nil {
			return err
		}
		return change(tx, found)
	})
}

// changes returns the outcome for each person: not found for 0, result if done returns true, else unchanged.
func changes(found []int64, result saved.Result, done func(int64) bool) []saved.Changed {
	out := make([]saved.Changed, len(found))
	for i, id := range found {
		out[i] = saved.Changed{Result: saved.Unchanged, Person: id}
		switch {
		case id == 0:
			out[i].Result = saved.NotFound
		case done(id):
			out[i].Result = result
		}
	}
	return out
}

// changed records that the people of a list changed.
func (s *Saved) changed(ctx context.Context, tx pgx.Tx, by kith.Principal, list int64, how map[string]any) error {
	if err := conn.Exec(ctx, tx, "list", "update lists set updated_at = now() where id = $1", list); err != nil {
		return err
	}
	return access.Record(ctx, s.db.DB, tx, by, "list.changed", listName(list), how)
}

// Members implements [saved.ListMembers].
func (s *Saved) Members(ctx context.Context, a kith.Actor, list, after int64, n int) ([]saved.Member, error) {
	seen, err := access.VisibleOwners(ctx, s.db.Querier(), a.Viewer())
	if err != nil {
		return nil, err
	}
	at := map[int64]int{}
	var ids []int64
	members, err := conn.Collect(ctx, s.db.Querier(), "people of a list", func(row pgx.CollectableRow) (m saved.Member,
		err error,
	) {
		err = row.Scan(&m.Person.ID, &m.Seq, &m.AddedAt)
		at[m.Person.ID], ids = len(ids), append(ids, m.Person.ID)
		return m, err
	}, `select p.id, e.seq, e.added_at from list_people e join lists l on l.id = e.list_id
		join people p on p.id = e.person_id
		where l.user_id = $1 and l.id = $2 and e.seq > $3 and ($5::text[] is null or p.owner = any($5)) order by e.seq
		limit $4`, a.UserID, list, after, n, []string(seen))
	if err != nil {
		return nil, err
	}
	people, err := s.db.People(ctx, a.Viewer(), ids)
	if err != nil {
		return nil, err
	}
	for _, p := range people {
		members[at[p.ID]].Person = p
	}
	return members, nil
}

// MemberIDs implements [saved.ListMembers].
func (s *Saved) MemberIDs(ctx context.Context, user, list int64) ([]int64, error) {
	return conn.Collect(ctx, s.db.Querier(), "people of a list", pgx.RowTo[int64],
		"select e.person_id from list_people e join lists l on l.id = e.list_id where l.user_id = $1 and l.id = $2 "+
			"order "+
			"by e.seq", user, list)
}
