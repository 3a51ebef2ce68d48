package postgres_test

import (
	"strings"
	"testing"

	"kith/internal/pgtest"
	"kith/internal/postgres"
)

// Too much hangs on the key for another to take its place: identifiers, links and
// passwords. Where it is damaged, the error says how to have it back.
func TestSealingKeyThatIsDamaged(t *testing.T) {
	db := pgtest.Directory(t, pgtest.MigratedURL(t), postgres.Options{})
	_, err := db.SealingKey(t.Context())
	check(t, err)
	_, err = db.Pool().Exec(t.Context(), `update settings set value = '"cut"' where key = 'sealing_key'`)
	check(t, err)
	if _, err = db.SealingKey(t.Context()); err == nil || !strings.Contains(err.Error(), "back from a backup") || strings.Contains(err.Error(), "delete") {
		t.Errorf("%v", err)
	}
}
