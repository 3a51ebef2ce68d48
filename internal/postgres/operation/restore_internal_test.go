package operation

import (
	"fmt"
	"strings"
	"testing"

	"kith/internal/operation/backup"
)

// A restore applies the migrations that the backup had, and refuses those of a newer kith.
func TestRestoreAppliesTheMigrationsOfTheBackup(t *testing.T) {
	known := []migration{{version: 1}, {version: 2}, {version: 50}}
	for _, c := range []struct {
		had  []int
		want string
	}{
		{[]int{1}, "[1]"},
		{[]int{1, 50}, "[1 50]"},
		{[]int{1, 2, 50}, "[1 2 50]"},
		{[]int{1, 51}, "newer kith"},
		{nil, "damaged"},
	} {
		chosen, err := selectMigrations(known, backup.Manifest{Migrations: c.had})
		got := fmt.Sprint(err)
		if err == nil {
			var versions []int
			for _, m := range chosen {
				versions = append(versions, m.version)
			}
			got = fmt.Sprint(versions)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%v: %s, want %s", c.had, got, c.want)
		}
	}
}

// A table comes after the tables that it refers to, whatever its name.
func TestTablesOfABackupAreOrdered(t *testing.T) {
	var all []backup.Table
	for _, name := range []string{"a", "b", "c", "d"} {
		all = append(all, backup.Table{Name: name})
	}
	got := ""
	for _, table := range ordered(all, map[string][]string{"a": {"c", "b"}, "c": {"d"}, "b": {"gone"}}) {
		got += table.Name
	}
	if got != "dcba" {
		t.Error(got)
	}
}

// A backup omits data that can be derived from the records, and data about running processes.
func TestBackupsOmitDerivedAndTransientTables(t *testing.T) {
	for name, out := range map[string]bool{
		"people": false, "companies": false, "audit": false, "river_job": false, "settings": false, "erasures": false,
		"tokens": false, "views": false,
		"people_v1": true, "people_nested_v12": true, "index_versions": true, "vocabulary_next": true,
		"schema_version":  true,
		"river_migration": true, "river_client_queue": true,
	} {
		if excludedTables.MatchString(name) != out {
			t.Errorf("%s is omitted: %v", name, !out)
		}
	}
}
