package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/token"
)

// courtesy takes the greeting before a prompt and the thanks and the signature behind it
// off, as who is greeted or signs is nobody to find, and a prompt must mean the same
// without them. It tells how many tokens they are.
func (r *Rules) courtesy(tokens []token.Token) (before, behind int) {
	for n := 1; n > 0; before += n {
		n = r.greeting(tokens[before:])
	}
	rest := tokens[before:]
	for n := 1; n > 0; rest = rest[:len(rest)-n] {
		n = thanks(rest)
		behind += n
	}
	return before, behind
}

// longestNamed is how many words there may be of whom somebody greets, or who signs.
const longestNamed = 3

// greeting is how many tokens greet somebody at the beginning, up to a mark behind which
// more follows: Hi Anna, I need.
func (r *Rules) greeting(tokens []token.Token) int {
	words := token.Norms(tokens[:min(2, len(tokens))])
	n := 0
	switch {
	case len(words) == 0:
		return 0
	case len(words) == 2 && slices.Contains([]string{"good morning", "good afternoon", "good evening", "good day", "guten tag", "guten morgen", "gruss gott", "buenos dias", "buenas tardes", "bom dia", "boa tarde"}, words[0]+" "+words[1]):
		n = 2
	case slices.Contains([]string{"hi", "hello", "hey", "dear", "hiya", "greetings", "hallo", "bonjour", "bonsoir", "salut", "hola", "ciao", "buongiorno", "ola"}, words[0]):
		n = 1
	default:
		return 0
	}
	for end := n; end < len(tokens) && end <= n+longestNamed; end++ {
		switch t := tokens[end]; {
		case t.Apart():
			if end == n && words[0] == "dear" || end > n && r.meansMore(tokens[:end]) {
				return 0
			}
			return end
		case !t.Capital() && !slices.Contains([]string{"there", "all", "team", "everyone", "everybody", "folks", "again", "guys", "both", "colleague", "colleagues", "sir", "madam", "friends", "recruiter", "recruiters", "community", "members", "neighbours", "editor"}, t.Norm):
			return 0
		}
	}
	return 0
}

// meansMore reports whether words are a name of their own: Hello Fresh.
func (r *Rules) meansMore(tokens []token.Token) bool {
	return slices.ContainsFunc(r.lex.Senses(token.Norms(tokens)), func(s lexicon.Sense) bool { return s.Type != lexicon.Filler })
}

// thanks is how many tokens at the end ask kindly or thank, with who signs: , please.
// Thanks, Anna
func thanks(tokens []token.Token) int {
	for at := len(tokens) - 1; at > 0 && at > len(tokens)-9; at-- {
		if !tokens[at].Apart() && tokens[at].From < tokens[at-1].To+2 { // Series B. Thanks
			continue
		}
		end := len(tokens)
		for i := at + 1; i < len(tokens); i++ {
			if tokens[i].Apart() {
				end = i
				break
			}
		}
		said := strings.Join(token.Norms(tokens[at:end]), " ")
		if end == len(tokens) && (asksKindly(said) || isThanks(said)) || end < len(tokens) && (isThanks(said) || said == "best" && tokens[at].Stop()) && signs(tokens[end:]) {
			return len(tokens) - at
		}
	}
	return 0
}

// signs reports whether no more than a name follows.
func signs(tokens []token.Token) bool {
	return len(tokens) <= longestNamed && !slices.ContainsFunc(tokens, func(t token.Token) bool { return t.Kind != token.Word || !t.Capital() || t.Shout() })
}

func asksKindly(said string) bool {
	return said == "please" || said == "pls" || said == "plz" || said == "bitte" || said == "sil vous plait" || said == "por favor"
}

func isThanks(said string) bool {
	for _, begin := range []string{"thanks for", "many thanks for", "thank you for"} {
		if rest, ok := strings.CutPrefix(said, begin); ok && strings.HasPrefix(rest, " your ") || rest == " any help" {
			return true
		}
	}
	switch said {
	case "thanks", "thank you", "many thanks", "thanks a lot", "thank you very much", "thank you so much", "thanks so much", "thanks in advance", "thank you in advance",
		"many thanks in advance", "thx", "ty", "cheers", "regards", "best regards", "kind regards", "with kind regards", "with best regards", "warm regards", "best wishes", "all the best", "sincerely", "yours sincerely",
		"merci", "merci beaucoup", "merci davance", "cordialement", "danke", "vielen dank", "danke im voraus", "vielen dank im voraus", "mit freundlichen grussen", "viele grusse", "beste grusse",
		"gracias", "muchas gracias", "gracias de antemano", "un saludo", "saludos", "grazie", "grazie mille", "obrigado", "obrigada":
		return true
	}
	return false
}
