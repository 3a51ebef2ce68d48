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
	// settingVocabularyBuilding is there while a vocabulary is being built.
	settingVocabularyBuilding = "vocabulary_building"
	// settingTermsRevision counts the changes of what terms there are.
	settingTermsRevision = "terms_revision"
)

// RankEpoch returns how often the people were ranked anew. A cursor made in an
// earlier epoch no longer says where its walk was.
func (db *DB) RankEpoch(ctx context.Context) (int64, error) {
	return value[int64](ctx, db.pool, "rank epoch",
		"select coalesce((select value::bigint from settings where key = $1), 0)", settingRankEpoch)
}

// BumpRankEpoch begins a new epoch.
func (db *DB) BumpRankEpoch(ctx context.Context) error {
	return exec(ctx, db.pool, "rank epoch", bumpSetting, settingRankEpoch)
}

// setting is a text among the settings; empty where there is none.
func (db *DB) setting(ctx context.Context, key string) (string, error) {
	text, err := value[string](ctx, db.pool, "setting "+key, "select value #>> '{}' from settings where key = $1", key)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return text, err
}

const (
	// putSetting sets a text among the settings to its second argument, and
	// firstSetting only where there is none.
	putSetting = "insert into settings (key, value) values ($1, to_jsonb($2::text)) on conflict (key) do update set " +
		"value = excluded.value"
	firstSetting = "insert into settings (key, value) values ($1, to_jsonb($2::text)) on conflict (key) do nothing"
	// bumpSetting adds one to a number among the settings.
	bumpSetting = `insert into settings as s (key, value) values ($1, '1')
		on conflict (key) do update set value = to_jsonb(s.value::bigint + 1)`
	// markSetting notes that something is so.
	markSetting = "insert into settings (key, value) values ($1, 'true') on conflict (key) do nothing"
)

// marked reports whether [markSetting] noted a name.
func marked(ctx context.Context, q querier, name string) (bool, error) {
	return value[bool](ctx, q, "mark "+name, "select exists (select from settings where key = $1)", name)
}

// Mark notes that something was done once and for all in this directory.
func (db *DB) Mark(ctx context.Context, name string) error {
	return exec(ctx, db.pool, "mark "+name, markSetting, name)
}

// Marked reports whether something was noted with [DB.Mark].
func (db *DB) Marked(ctx context.Context, name string) (bool, error) {
	return marked(ctx, db.pool, name)
}
