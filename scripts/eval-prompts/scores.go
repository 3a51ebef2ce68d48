package main

import (
	"encoding/json"
	"os"
)

// scores is the file for the score of each prompt; without a file it writes nothing.
type scores struct{ file *os.File }

func newScores(name string) (*scores, error) {
	if name == "" {
		return &scores{}, nil
	}
	file, err := os.Create(name)
	return &scores{file}, err
}

// gradeOf returns F1, or 0 if the mode is wrong.
func gradeOf(s score) float64 {
	if !s.ModeRight {
		return 0
	}
	return s.F1
}

// add writes the score of a prompt.
func (s *scores) add(p prompted, found score) error {
	if s.file == nil {
		return nil
	}
	return json.NewEncoder(s.file).Encode(map[string]any{
		"prompt": p.Text, "category": p.Category, "grade": gradeOf(found), "f1": found.F1,
		"mode_right": found.ModeRight,
	})
}

func (s *scores) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
