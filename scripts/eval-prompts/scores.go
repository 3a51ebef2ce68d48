package main

import (
	"encoding/json"
	"os"

	"kith/internal/devtools/evalset"
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
func gradeOf(s evalset.Score) float64 {
	if !s.ModeRight {
		return 0
	}
	return s.F1
}

// add writes the score of a prompt.
func (s *scores) add(p evalset.Prompt, score evalset.Score) error {
	if s.file == nil {
		return nil
	}
	return json.NewEncoder(s.file).Encode(map[string]any{
		"prompt": p.Text, "category": p.Category, "part": p.Part, "grade": gradeOf(score), "f1": score.F1,
		"mode_right": score.ModeRight,
	})
}

func (s *scores) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
