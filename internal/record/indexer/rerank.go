package indexer

import (
	"context"
	"fmt"

	"kith"
	"kith/internal/record"
	"kith/query/analysis"
)

// Records are all records of a dataset.
type Records interface {
	record.Store
	record.Reader
	// BumpRankEpoch expires all cursors issued so far.
	BumpRankEpoch(ctx context.Context) error
}

// Keeper ranks and deletes stored records.
type Keeper struct{ records Records }

// NewKeeper returns a keeper of records.
func NewKeeper(records Records) *Keeper { return &Keeper{records: records} }

// rankBatch is the number of records ranked in one transaction.
const rankBatch = 2_000

// Rerank recomputes the rank of every record, queues those that changed, and calls follow to update the index.
// Cursors issued before or meanwhile expire, because the order has changed. progress may be nil.
func (k *Keeper) Rerank(ctx context.Context, progress func(Progress), follow func(context.Context) error) error {
	if err := k.records.BumpRankEpoch(ctx); err != nil {
		return fmt.Errorf("rerank: %w", err)
	}
	p, err := newProgress(ctx, k.records)
	if err != nil {
		return fmt.Errorf("rerank: %w", err)
	}
	report := &reporter{at: p, to: progress}
	for _, kind := range []record.Kind{record.Companies, record.People} {
		for above := int64(0); ; {
			ids, err := k.rankPage(ctx, kind, above)
			if err != nil {
				return fmt.Errorf("rerank: %w", err)
			}
			if len(ids) == 0 {
				break
			}
			above = ids[len(ids)-1]
			report.add(len(ids))
		}
	}
	// Expire the cursors issued meanwhile, and again those issued before the index was updated: until then some
	// people keep their old position.
	if err := k.records.BumpRankEpoch(ctx); err != nil {
		return fmt.Errorf("rerank: %w", err)
	}
	if err := follow(ctx); err != nil {
		return err
	}
	return k.records.BumpRankEpoch(ctx)
}

// rankPage ranks the next records. It reads them inside the transaction, whose lock prevents changes.
func (k *Keeper) rankPage(ctx context.Context, kind record.Kind, above int64) (ids []int64, err error) {
	err = k.records.Write(ctx, record.ForEveryone(), func(ctx context.Context, tx record.Tx) error {
		if ids, err = k.records.IDs(ctx, kind, above, rankBatch); err != nil || len(ids) == 0 {
			return err
		}
		ranks, err := k.ranks(ctx, kind, ids)
		if err != nil || len(ranks) == 0 {
			return err
		}
		return tx.SetRanks(ctx, kind, ranks)
	})
	return ids, err
}

// ranks returns the new ranks of records whose rank changes.
func (k *Keeper) ranks(ctx context.Context, kind record.Kind, ids []int64) (map[int64]int64, error) {
	ranks := map[int64]int64{}
	if kind == record.Companies {
		rows, err := k.records.CompaniesByID(ctx, ids)
		for _, r := range rows {
			if rank := analysis.CompanyRank(r.Company); rank != r.Rank {
				ranks[r.Company.ID] = rank
			}
		}
		return ranks, err
	}
	rows, err := k.records.PeopleByID(ctx, ids)
	for _, r := range rows {
		if rank := analysis.Rank(r.Person); rank != r.Rank {
			ranks[r.Person.ID] = rank
		}
	}
	return ranks, err
}

// Deletion is the outcome for one identifier.
type Deletion struct {
	Identifier string
	// ID is the deleted person; 0 if Problem says why nobody was deleted.
	ID      int64
	Problem string
}

// Delete deletes the people that identifiers name: ids, profile URLs, their last segments, or e-mail addresses. It
// deletes all or none: nobody after an error, or if an identifier matches no one or several people. Searches stop
// finding them once the index is updated.
func (k *Keeper) Delete(ctx context.Context, identifiers ...string) ([]Deletion, error) {
	var done []Deletion
	err := k.records.Write(ctx, record.ForEveryone(), func(ctx context.Context, tx record.Tx) error {
		var ids []int64
		var err error
		if done, ids, err = k.identify(ctx, identifiers); err != nil || len(ids) == 0 {
			return err
		}
		return tx.DeletePeople(ctx, ids)
	})
	if err != nil {
		return nil, fmt.Errorf("delete: %w", err)
	}
	return done, nil
}

// identify returns the people to delete: those of all identifiers, or nobody.
func (k *Keeper) identify(ctx context.Context, identifiers []string) (all []Deletion, ids []int64, err error) {
	for _, identifier := range identifiers {
		found, err := k.records.Identify(ctx, kith.Operator(), identifier)
		if err != nil {
			return nil, nil, err
		}
		d := Deletion{Identifier: identifier}
		switch len(found) {
		case 0:
			d.Problem = "no one is known by it"
		case 1:
			d.ID = found[0]
			ids = append(ids, d.ID)
		default:
			d.Problem = fmt.Sprintf("it may be any of the people %v: give the id", found)
		}
		all = append(all, d)
	}
	if len(ids) == len(all) {
		return all, ids, nil
	}
	for i, d := range all {
		if d.Problem == "" {
			all[i] = Deletion{Identifier: d.Identifier, Problem: "another identifier names no one to delete"}
		}
	}
	return all, nil, nil
}
