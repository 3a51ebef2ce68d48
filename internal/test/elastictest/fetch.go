package elastictest

import (
	"context"
	"fmt"
	"io"

	"kith/internal/operation/fetch"
)

// Version is the version of the node that this package runs.
const Version = "8.19.0"

// distribution returns the folder of the unpacked distribution. It downloads the distribution on first use (97 MB), and
// writes progress to log.
func distribution(ctx context.Context, log io.Writer) (dir string, err error) {
	return install(ctx, log, fetch.Program{
		Archive: fetch.Archive{
			Title: "Elasticsearch " + Version, Size: 97_002_615,
			SHA256: "14833b2d86c30656901f92049f81fb5777a8e4545413c8656cd1a21b55173033",
			Source: fetch.Maven{
				Group: "org.elasticsearch.distribution.integ-test-zip", Name: "elasticsearch", Version: Version,
				Extension: "zip",
			},
		},
		Folder: "elasticsearch-" + Version, Unpack: fetch.Zip("elasticsearch-" + Version),
	})
}

func install(ctx context.Context, log io.Writer, p fetch.Program) (dir string, err error) {
	cache, err := fetch.Cache()
	if err != nil {
		return "", err
	}
	return fetch.New(cache, func(message string) { _, _ = fmt.Fprintln(log, message) }).Install(ctx, p)
}
