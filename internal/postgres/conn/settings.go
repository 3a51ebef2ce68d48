package conn

import "context"

// Keys of settings.
const (
	SettingKeys      = "keys"
	settingRankEpoch = "rank_epoch"
	SettingErasures  = "erasures"
	SettingBuilt     = "index_built"
	SettingClaimed   = "index_claimed"
	// SettingVocabularyBuilding exists while a vocabulary is being built.
	SettingVocabularyBuilding = "vocabulary_building"
	// SettingTermsRevision counts changes of the set of terms.
	SettingTermsRevision = "terms_revision"
)

// RankEpoch returns how often people have been ranked. A cursor from an earlier epoch has lost its position.
func (db *DB) RankEpoch(ctx context.Context) (int64, error) {
	return Value[int64](ctx, db.pool, "rank epoch",
		"select coalesce((select value::bigint from settings where key = $1), 0)", settingRankEpoch)
}

// BumpRankEpoch begins a new epoch.
func (db *DB) BumpRankEpoch(ctx context.Context) error {
	return Exec(ctx, db.pool, "rank epoch", BumpSetting, settingRankEpoch)
}

// Setting reads a text setting; empty if there is none.
func (db *DB) Setting(ctx context.Context, key string) (string, error) {
	return Value[string](ctx, db.pool, "setting "+key,
		"select coalesce((select value #>> '{}' from settings where key = $1), '')", key)
}

const (
	// PutSetting sets a text setting to its second argument.
	PutSetting = "insert into settings (key, value) values ($1, to_jsonb($2::text)) on conflict (key) do update set " +
		"value = excluded.value"
	// BumpSetting increments a number setting.
	BumpSetting = `insert into settings as s (key, value) values ($1, '1')
		on conflict (key) do update set value = to_jsonb(s.value::bigint + 1)`
	// MarkSetting sets a mark.
	MarkSetting = "insert into settings (key, value) values ($1, 'true') on conflict (key) do nothing"
)

// HasMark reports whether [MarkSetting] has set a mark.
func HasMark(ctx context.Context, q Querier, name string) (bool, error) {
	return Value[bool](ctx, q, "mark "+name, "select exists (select from settings where key = $1)", name)
}

// Mark records that a one-time task of this dataset is done.
func (db *DB) Mark(ctx context.Context, name string) error {
	return Exec(ctx, db.pool, "mark "+name, MarkSetting, name)
}

// Marked reports whether [DB.Mark] has recorded a task.
func (db *DB) Marked(ctx context.Context, name string) (bool, error) {
	return HasMark(ctx, db.pool, name)
}
