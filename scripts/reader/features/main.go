// Command features tells scripts/reader/train.py what Kith's tables know of the words of prompts, as the tagger sees
// it. It writes the number of features; then it reads one prompt a line, a JSON array of words, and answers each with
// an array of the features of each word.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/reader/tagger"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "features:", err)
		os.Exit(1)
	}
}

func run(from io.Reader, to io.Writer) error {
	tables := lexicon.New()
	out := bufio.NewWriter(to)
	fmt.Fprintln(out, tagger.FeatureCount())
	if err := out.Flush(); err != nil {
		return err
	}
	prompts, answers := json.NewDecoder(from), json.NewEncoder(out)
	for {
		var words []string
		if err := prompts.Decode(&words); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := answers.Encode(tagger.Features(tables, words)); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}
