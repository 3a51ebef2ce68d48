package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

const (
	settingKeys      = "keys"
	settingRankEpoch = "rank_epoch"
	settingErasures  = "erasures"
	settingBuilt     = "index_built"
	settingClaimed   = "index_claimed"
	// settingVocabularyBuilding exists while a vocabulary is being built.
	settingVocabularyBuilding = "vocabulary_building"
	// settingTermsRevision counts changes of the set of terms.
	settingTermsRevision = "terms_revision"
)

// RankEpoch returns how often people have been ranked. A cursor from an earlier epoch has lost its position.
func (db *DB) RankEpoch(ctx context.Context) (int64, error) {
	return Value[int64](ctx, db.pool, "rank epoch",
		"select coalesce((select value::bigint from settings where key = $1), 0)", settingRankEpoch)
}

// BumpRankEpoch begins a new epoch.
func (db *DB) BumpRankEpoch(ctx context.Context) error {
	return Exec(ctx, db.pool, "rank epoch", bumpSetting, settingRankEpoch)
}

// setting reads a text setting; empty if there is none.
func (db *DB) setting(ctx context.Context, key string) (string, error) {
	text, err := Value[string](ctx, db.pool, "setting "+key, "select value #>> '{}' from settings where key = $1", key)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return text, err
}

const (
	// putSetting sets a text setting to its second argument; firstSetting does so only if there is none.
	putSetting = "insert into settings (key, value) values ($1, to_jsonb($2::text)) on conflict (key) do update set " +
		"value = excluded.value"
	firstSetting = "insert into settings (key, value) values ($1, to_jsonb($2::text)) on conflict (key) do nothing"
	// bumpSetting increments a number setting.
	bumpSetting = `insert into settings as s (key, value) values ($1, '1')
		on conflict (key) do update set value = to_jsonb(s.value::bigint + 1)`
	// markSetting sets a mark.
	markSetting = "insert into settings (key, value) values ($1, 'true') on conflict (key) do nothing"
)

// hasMark reports whether [markSetting] has set a mark.
func hasMark(ctx context.Context, q Querier, name string) (bool, error) {
	return Value[bool](ctx, q, "mark "+name, "select exists (select from settings where key = $1)", name)
}

// Mark records that a one-time task of this dataset is done.
func (db *DB) Mark(ctx context.Context, name string) error {
	return Exec(ctx, db.pool, "mark "+name, markSetting, name)
}

// Marked reports whether [DB.Mark] has recorded a task.
func (db *DB) Marked(ctx context.Context, name string) (bool, error) {
	return hasMark(ctx, db.pool, name)
}
