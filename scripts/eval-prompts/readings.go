package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"

	"kith"
)

// reading is one reading of a prompt, with its features and the grade of its results.
type reading struct {
	Grade    float64            `json:"grade"`
	Plan     string             `json:"plan"`
	Features map[string]float64 `json:"features"`
}

// grade writes the best readings of each prompt with their grades, to fit weights.
func (o options) grade(ctx context.Context, d *dataset, prompts []prompted) (err error) {
	file, err := os.Create(o.out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	to := json.NewEncoder(file)
	for _, p := range prompts {
		readings, err := d.planner.Readings(ctx, kith.Operator(), p.Text, o.readings)
		if err != nil {
			return err
		}
		out, grades := []reading{}, map[string]float64{}
		for _, r := range readings {
			text := r.Plan.String()
			key := asks(text)
			if _, ok := grades[key]; !ok {
				a, err := d.run(ctx, p.Text, r.Plan)
				if err != nil {
					return err
				}
				grades[key] = gradeOf(scoreOf(p, a.mode, a.ids))
			}
			out = append(out, reading{grades[key], text, r.Features})
		}
		if err := to.Encode(map[string]any{"prompt": p.Text, "category": p.Category, "readings": out}); err != nil {
			return err
		}
	}
	return nil
}

// asks returns the lines of a plan that affect the results.
func asks(plan string) string {
	var out []string
	for line := range strings.Lines(plan) {
		if name, _, _ := strings.Cut(line, ":"); name != "ignored" && name != "note" && name != "alternative" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}
