package tagger

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/tokenizer"
)

// knownTypes are the meanings that the model is told, in the order of its weights.
func knownTypes() []lexicon.Type {
	return []lexicon.Type{
		lexicon.Role, lexicon.CRole, lexicon.Founder, lexicon.Head, lexicon.Modifier, lexicon.Seniority,
		lexicon.Leader, lexicon.Function, lexicon.Country, lexicon.State, lexicon.City, lexicon.Metro, lexicon.Region,
		lexicon.Nationality, lexicon.Industry, lexicon.SizeWord, lexicon.CompanyKind, lexicon.FundingStage,
		lexicon.Degree, lexicon.FieldOfStudy, lexicon.Skill, lexicon.Language, lexicon.SchoolAlias,
		lexicon.CompanyAlias, lexicon.Judgement, lexicon.PersonWord, lexicon.CompanyWord, lexicon.Filler,
	}
}

// A feature is four times the number of a type, plus those of the following that are true.
const (
	isInside = 1 // the word is not the first of the phrase
	isWeak   = 2 // the phrase mostly means something else
	variants = 4
)

// certain is the prior from which on a meaning is not weak.
const certain = 3

// FeatureCount returns the number of features.
func FeatureCount() int { return variants * len(knownTypes()) }

// Features returns the features of each word, at most one of a type: its part in the longest phrase of that meaning.
func Features(l *lexicon.Lexicon, words []string) [][]int {
	tokens := make([][]string, len(words))
	for i, w := range words {
		tokens[i] = tokenizer.Tokens(w)
	}
	types := knownTypes()
	out, has := make([][]int, len(words)), make([][]bool, len(words))
	for i := range has {
		has[i] = make([]bool, len(types))
	}
	for length := 2*lexicon.MaxWords - 1; length > 0; length-- {
		for from := 0; from+length <= len(words); from++ {
			for _, s := range senses(l, words, tokens, from, from+length) {
				t := slices.Index(types, s.Type)
				free := t >= 0
				for w := from; free && w < from+length; w++ {
					free = !has[w][t]
				}
				if !free {
					continue
				}
				for w := from; w < from+length; w++ {
					has[w][t] = true
					out[w] = append(out[w], featureOf(t, s, w > from))
				}
			}
		}
	}
	return out
}

func featureOf(t int, s lexicon.Sense, inside bool) int {
	f := t * variants
	if inside {
		f += isInside
	}
	if s.NeedsCue || s.ByRule || s.Prior < certain {
		f += isWeak
	}
	return f
}

// senses returns the meanings of some words: it begins and ends with a token, and no sign in between separates.
func senses(l *lexicon.Lexicon, words []string, tokens [][]string, from, to int) []lexicon.Sense {
	if len(tokens[from]) == 0 || len(tokens[to-1]) == 0 {
		return nil
	}
	var phrase []string
	for w := from; w < to; w++ {
		if len(tokens[w]) == 0 && !strings.Contains("-–'’.&/+", words[w]) {
			return nil
		}
		phrase = append(phrase, tokens[w]...)
	}
	if len(phrase) > lexicon.MaxWords {
		return nil
	}
	return l.Senses(phrase)
}
