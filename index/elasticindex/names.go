package elasticindex

import (
	"strconv"
	"strings"

	"kith/index"
)

// names has the names of a driver's indices and aliases.
type names struct{ prefix string }

// alias is the name for searches of a collection.
func (n names) alias(c index.Collection) string { return n.prefix + "-" + string(c) }

// indexName is the index for one collection of a version.
func (n names) indexName(c index.Collection, version string) string {
	return n.alias(c) + "-" + version
}

// writeAlias is the alias for writes to one collection of a version.
func (n names) writeAlias(c index.Collection, version string) string {
	return n.indexName(c, version) + "-write"
}

// parseIndex parses the name of a driver's own index; ok is false for other indices, which may share the prefix.
func (n names) parseIndex(name string) (c index.Collection, version string, ok bool) {
	for _, c := range collections() {
		if v, found := strings.CutPrefix(name, n.alias(c)+"-"); found && versionNumber(v) > 0 {
			return c, v, true
		}
	}
	return "", "", false
}

// markAlias is the alias for reading and writing marks.
func (n names) markAlias() string { return n.prefix + "-marks" }

func (n names) markIndex() string { return n.markAlias() + "-1" }

func (n names) markPath(v index.Version) string { return "/" + n.markAlias() + "/_doc/" + v.ID }

// versionNumber returns 7 for "v7", and 0 for anything that is not the name of a version.
func versionNumber(version string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(version, "v"))
	if err != nil || n < 1 || versionName(n) != version {
		return 0
	}
	return n
}

func versionName(n int) string { return "v" + strconv.Itoa(n) }
