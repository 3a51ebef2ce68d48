package main

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
)

// nicknameLines returns lines with a name and its nicknames, separated by bars.
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
	for _, row := range furtherNicknames() {
		nicks[row[0]] = map[string]bool{}
		for nick := range strings.SplitSeq(row[1], "|") {
			nicks[row[0]][nick] = true
		}
	}
	var lines []string
	for name, set := range nicks {
		lines = append(lines, name+"\t"+strings.Join(sorted(set), "|"))
	}
	slices.Sort(lines)
	return lines, nil
}

// furtherNicknames returns names with all their nicknames. The source lacks these names
// or, as for Emily (Emma), mixes them with another name.
func furtherNicknames() [][2]string {
	return [][2]string{
		{"catherine", "casey|cassie|cathy|kate|kathy|katy|kay|kit|kittie|lena|trina"},
		{"ekaterina", "kate|katia|katya"},
		{"emily", "em|emmy|mel|millie"},
		{"katarzyna", "kasia|kate"},
		{"katharina", "kate|kathi|kati|katja|tina"},
	}
}
