package network

import (
	"strings"

	"kith"
)

// MaxScore is the highest score of a relationship; the lowest is 0.
const MaxScore = 10

// Label names a range of scores.
type Label string

// The labels, strongest first. Scores below the least score of Maybe are [Unlabelled].
const (
	Excellent  Label = "excellent"
	VeryGood   Label = "very_good"
	Good       Label = "good"
	Okay       Label = "okay"
	Maybe      Label = "maybe"
	Unlabelled Label = ""
)

// Labels lists the labels, strongest first.
func Labels() []Label { return []Label{Excellent, VeryGood, Good, Okay, Maybe} }

// Least is the lowest score with the label.
func (l Label) Least() float64 {
	switch l {
	case Excellent:
		return 9.5
	case VeryGood:
		return 7.5
	case Good:
		return 4
	case Okay:
		return 1
	case Maybe:
		return 0.5
	}
	return 0
}

// LabelOf returns the label of a score.
func LabelOf(score float64) Label {
	for _, l := range Labels() {
		if score >= l.Least() {
			return l
		}
	}
	return Unlabelled
}

// ParseLabel reads a label in any case, with spaces, hyphens or underscores between its words: "Very Good". Any other
// text is kith.Invalid.
func ParseLabel(text string) (Label, error) {
	words := strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return r == ' ' || r == '_' || r == '-' || r == '\t' })
	for _, l := range Labels() {
		if strings.Join(words, "") == strings.ReplaceAll(string(l), "_", "") {
			return l, nil
		}
	}
	return Unlabelled, kith.Errorf(kith.Invalid, "UNKNOWN_LABEL",
		"must be one of maybe, okay, good, very_good and excellent")
}
