package record

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/postgres/conn"
	"kith/internal/record"
)

// listTx tells the owners of lists of new jobs.
type listTx struct{ *WriteTx }

// jobNow is the present job of a person, as reported to webhooks.
type jobNow struct {
	Title   string `json:"title"`
	Company string `json:"company"`
}

func jobOf(p kith.Person) *jobNow {
	if p.WorkRelevant == nil {
		return nil
	}
	return &jobNow{p.WorkRelevant.Title, p.WorkRelevant.Company.Name}
}

// readListed returns the people who are on a list of an app with webhooks, with their jobs.
func (w listTx) readListed(ctx context.Context, values []personValues) (map[int64]*jobNow, error) {
	if len(values) == 0 {
		return nil, nil
	}
	ids := idsOf(values)
	on, err := conn.Collect(ctx, w.Tx, "people on lists", pgx.RowTo[int64],
		`select distinct e.person_id from list_people e
		join lists l on l.id = e.list_id join users u on u.id = l.user_id
		where e.person_id = any($1) and exists (select from webhooks h where h.app_id = u.app_id
			and (h.user_id is null or h.user_id = u.id))`, ids)
	if err != nil || len(on) == 0 {
		return nil, err
	}
	return w.readJobs(ctx, on)
}

func (w listTx) readJobs(ctx context.Context, ids []int64) (map[int64]*jobNow, error) {
	people, err := w.db.ReadPeople(ctx, w.Tx, ids)
	jobs := make(map[int64]*jobNow, len(people))
	for _, p := range people {
		jobs[p.Person.ID] = jobOf(p.Person)
	}
	return jobs, err
}

// announceJobs notifies webhooks of people whose jobs have changed. A different spelling of title or company counts as
// a change.
func (w listTx) announceJobs(ctx context.Context, before map[int64]*jobNow) error {
	if len(before) == 0 {
		return nil
	}
	ids := slices.Sorted(maps.Keys(before))
	after, err := w.readJobs(ctx, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		from, to := before[id], after[id]
		if from == nil && to == nil || from != nil && to != nil && *from == *to {
			continue
		}
		err := conn.Exec(ctx, w.Tx, "announce a job", `insert into webhook_events (app_id, webhook_id, user_id, list_id,
			person_id, detail, at)
			select h.app_id, h.id, l.user_id, l.id, p.id, $2, now()
			from list_people e join lists l on l.id = e.list_id join users u on u.id = l.user_id
			join people p on p.id = e.person_id
			join webhooks h on h.app_id = u.app_id and (h.user_id is null or h.user_id = u.id)
			where e.person_id = $1 and u.disabled_at is null and (p.owner = $3 or p.owner in (
				select o.key from owners o where o.user_id = l.user_id or o.app_id =
				u.app_id))`, id, map[string]any{"from": from, "to": to}, record.Everyone)
		if err != nil {
			return err
		}
	}
	return nil
}
