package main

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
)

// nicknameLines are a name and its nicknames, separated by bars.
func nicknameLines(read func(string) ([]byte, error)) ([]string, error) {
	text, err := read("nicknames/names.csv")
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	nicks := map[string]map[string]bool{}
	for _, row := range rows[1:] {
		name, nick := strings.TrimSpace(row[0]), strings.TrimSpace(row[2])
		if nicks[name] == nil {
			nicks[name] = map[string]bool{}
		}
		nicks[name][nick] = true
	}
	var lines []string
	for name, set := range nicks {
		lines = append(lines, name+"\t"+strings.Join(sorted(set), "|"))
	}
	slices.Sort(lines)
	return lines, nil
}
