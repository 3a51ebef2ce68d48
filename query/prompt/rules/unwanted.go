package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// unwanted makes one word of what says that those named before it are not wanted, however
// it is said: trainees aren't what I'm looking for, juniors won't do, students don't
// count, agencies no.
func (p *parser) unwanted() {
	for i := 1; i < len(p.spans); i++ {
		from := p.spans[i].From
		if before := p.tokens[from-1].Norm; !mayRefuse(p.tokens[from].Norm) || p.tokens[from].Apart() || before == "who" || before == "that" || before == "which" {
			continue
		}
		to := p.clauseEnd(from)
		if !refuses(token.Norms(p.tokens[from:to])) {
			continue
		}
		end := i
		for end < len(p.spans) && p.spans[end].From < to {
			end++
		}
		whole := segment.Span{From: from, To: p.spans[end-1].To, Type: lexicon.Filler, Sense: lexicon.Sense{Type: lexicon.Filler, Name: notWanted}}
		p.spans = slices.Replace(p.spans, i, end, whole)
	}
}

// notWanted names the readings that say that those before them are not wanted.
const notWanted = "notwanted"

func isNotWanted(s segment.Span) bool {
	return s.Type == lexicon.Filler && s.Sense.Name == notWanted
}

// mayRefuse reports whether a word may begin what says that somebody is not wanted.
func mayRefuse(w string) bool {
	switch w {
	case "no", "are", "is", "arent", "isnt", "wont", "dont", "doesnt", "will", "do", "does", "would", "wouldnt", "should", "shouldnt", "must", "mustnt", "need":
		return true
	}
	return false
}

// clauseEnd is the token behind a clause that goes on from a token.
func (p *parser) clauseEnd(at int) int {
	for at++; at < len(p.tokens) && !p.tokens[at].Apart(); at++ {
		switch p.tokens[at].Norm {
		case "but", "so", "please", "because", "since":
			return at
		}
	}
	return at
}

// refuses reports whether a clause that begins with a verb says that somebody is not
// wanted.
func refuses(words []string) bool {
	text := strings.Join(words, " ")
	if rest, ok := behind(text, "arent ", "isnt ", "are not ", "is not ", "are of no ", "is of no ", "are no ", "is no ", "are less ", "is less "); ok {
		return isNoMatch(strings.TrimPrefix(strings.TrimPrefix(rest, "the "), "really "))
	}
	if rest, ok := behind(text, "wont ", "dont ", "doesnt ", "will not ", "do not ", "does not ", "would not ", "wouldnt "); ok {
		return isNoHelp(rest)
	}
	if rest, ok := behind(text, "should not ", "shouldnt ", "must not ", "mustnt ", "need not "); ok {
		return isNoMatter(rest)
	}
	if rest, ok := behind(text, "are too ", "is too ", "would be too "); ok {
		return slices.ContainsFunc([]string{" for us", " for me", " for this", " from what "}, func(whom string) bool { return strings.Contains(rest, whom) })
	}
	return text == "no"
}

// behind is what stands behind the first of some beginnings that a text has.
func behind(text string, begins ...string) (rest string, ok bool) {
	for _, begin := range begins {
		if rest, ok = strings.CutPrefix(text, begin); ok {
			return rest, true
		}
	}
	return "", false
}

// isNoMatch reports whether words behind "are not" say that somebody is not wanted.
func isNoMatch(rest string) bool {
	switch first, _, _ := strings.Cut(rest, " "); first {
	case "relevant", "suitable", "right", "interesting", "wanted", "useful", "use", "eligible", "interest", "what", "who", "whom", "option", "helpful":
		return true
	}
	return rest == "a fit" || rest == "a good fit" || rest == "a match" || strings.HasPrefix(rest, "an option")
}

// isNoMatter reports whether words behind "should not" say that somebody is not wanted.
func isNoMatter(rest string) bool {
	switch strings.TrimPrefix(rest, "be ") {
	case "contacted", "included", "considered", "approached", "invited", "listed", "shown", "apply", "reply", "respond", "appear":
		return true
	}
	return false
}

// isNoHelp reports whether words behind "do not" or "will not" say that somebody is not
// wanted.
func isNoHelp(rest string) bool {
	verb, object, _ := strings.Cut(rest, " ")
	switch object {
	case "", "here", "for us", "for me", "with us", "me", "us", "for this":
	default:
		return false
	}
	switch verb {
	case "do", "count", "help", "qualify", "fit", "apply", "interest", "work":
		return object != "" || verb != "work" && verb != "help"
	}
	return false
}
