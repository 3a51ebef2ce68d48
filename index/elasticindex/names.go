package elasticindex

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"kith/index"
)

// alias is the name that searches of a collection go to.
func (d *Driver) alias(c index.Collection) string { return d.prefix + "-" + string(c) }

// indexName is the index of one collection of a version.
func (d *Driver) indexName(c index.Collection, version string) string {
	return d.alias(c) + "-" + version
}

// writeAlias is the alias that writes to one collection of a version go to.
func (d *Driver) writeAlias(c index.Collection, version string) string {
	return d.indexName(c, version) + "-write"
}

// parseIndex reads the name of an index of ours; ok is false for another's,
// which may begin with the same letters.
func (d *Driver) parseIndex(name string) (c index.Collection, version string, ok bool) {
	for _, c := range collections() {
		if v, found := strings.CutPrefix(name, d.alias(c)+"-"); found && versionNumber(v) > 0 {
			return c, v, true
		}
	}
	return "", "", false
}

// versionNumber returns 7 for "v7", and 0 for what is no version's name.
func versionNumber(version string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(version, "v"))
	if err != nil || n < 1 || versionName(n) != version {
		return 0
	}
	return n
}

func versionName(n int) string { return "v" + strconv.Itoa(n) }

func sortVersions(versions []index.Version) {
	slices.SortFunc(versions, func(a, b index.Version) int {
		return cmp.Compare(versionNumber(a.Name), versionNumber(b.Name))
	})
}
