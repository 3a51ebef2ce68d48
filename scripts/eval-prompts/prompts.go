package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"kith"
	"kith/query/prompt"
)

// data has people of the demo and their companies, and sets of prompts about them. The answers came from the records
// alone, before any search, for [day].
//
//go:embed data
var data embed.FS

// prompted is a prompt with its answer.
type prompted struct {
	Text string `json:"prompt"`
	// Category is lookup/…, simple/… or complex/….
	Category string `json:"category"`
	// Mode is the expected mode; empty if readers disagree.
	Mode prompt.Mode `json:"mode"`
	// Want are the ids of the correct people, Allowed those that readers disagree on; both are in ascending order.
	Want    []int64 `json:"want"`
	Allowed []int64 `json:"allowed"`
}

// sets are the sets of prompts. Weights are fitted to one, and measured with the other.
func sets() []string { return []string{"measure", "fit"} }

// population returns the people, with the companies of their jobs filled in, and all companies.
func population() ([]kith.Person, []kith.Company, error) {
	companies, err := read[kith.Company]("companies")
	if err != nil {
		return nil, nil, err
	}
	byID := map[int64]kith.Company{}
	for _, c := range companies {
		byID[c.ID] = c
	}
	people, err := read[kith.Person]("people")
	for _, p := range people {
		for _, job := range p.Jobs() {
			job.Company = byID[job.Company.ID]
		}
	}
	return people, companies, err
}

// read returns the lines of a file of the data.
func read[T any](name string) (all []T, err error) {
	packed, err := data.ReadFile("data/" + name + ".ndjson.gz")
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	for lines := json.NewDecoder(bufio.NewReader(z)); ; {
		var line T
		err := lines.Decode(&line)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, len(all)+1, err)
		}
		all = append(all, line)
	}
}
