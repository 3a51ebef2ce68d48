package segment

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/token"
)

// IsExample reports whether the word before a token says that it is one of several:
// like, such as, e.g.
func IsExample(tokens []token.Token, at int) bool {
	if at == 0 || tokens[at].Comma() {
		return false
	}
	switch tokens[at-1].Norm {
	case "eg", "including":
		return true
	case "like": // someone like Jane Doe
		return at < 2 || !isSomebody(tokens[at-2].Norm)
	case "as":
		return at > 1 && tokens[at-2].Norm == "such"
	}
	return false
}

// exampleOf is what an example must be by the noun before it: tools like, cities such as;
// a company where the noun says nothing else.
func (l *Lattice) exampleOf(at int) expectation {
	from := at
	for from > 0 && !l.Tokens[from].Comma() && at-from < 3 && (IsExample(l.Tokens, from) || l.Tokens[from-1].Norm == "such") {
		from--
	}
	if from > 0 {
		switch l.Tokens[from-1].Norm {
		case "tools", "tool", "languages", "skills", "software", "frameworks", "technologies", "certifications", "certificates", "methods", "platforms", "systems":
			return expectation{GroupSkill, 0.6}
		case "cities", "towns", "places", "countries", "regions", "states", "areas":
			return expectation{GroupPlace, 0.6}
		case "schools", "universities", "colleges", "university", "school":
			return expectation{GroupSchool, 0.6}
		}
	}
	return expectation{GroupCompany, 0.4}
}

// isSomebody lists words for one or more of whom nothing more is said.
func isSomebody(w string) bool {
	switch w {
	case "someone", "somebody", "anyone", "anybody", "people", "person", "profiles":
		return true
	}
	return false
}

// beforeSimilar reports whether a list of names in capitals begins at a token, or goes on
// there, that ends in "and similar": Subsea 7, DOF and similar.
func (l *Lattice) beforeSimilar(at int) bool {
	if at > 0 && !l.apart(at) && !isJoin(l.Tokens[at-1].Norm) {
		return false
	}
	for i := at; i+1 < len(l.Tokens) && i < at+longestList; i++ {
		switch t := l.Tokens[i]; {
		case isJoin(t.Norm) && isSimilar(l.Tokens[i+1].Norm):
			return i > at
		case i > at && t.Stop(), t.Kind == token.Word && !t.Capital() && !isJoin(t.Norm):
			return false
		}
	}
	return false
}

// isSimilar reports whether a word behind "and" stands for more of what is listed.
func isSimilar(w string) bool { return w == "similar" || w == "others" || w == "such" }

// behindMust reports whether "must have:" or the like stands right before a token.
func (l *Lattice) behindMust(at int) bool {
	if at == 0 || !strings.HasPrefix(l.Tokens[at].Gap, ":") {
		return false
	}
	switch l.Tokens[at-1].Norm {
	case "have", "haves", "must", "musts", "required", "requirements", "skills", "qualifications", "certifications", "certificates", "licences", "licenses":
		return true
	}
	return false
}

// amongExamples reports whether a word with a capital is in a list of such words that
// are examples of something, or must be had, or behind the first of a list of employers:
// e.g. Forsman & Bodenfors, Åkestam Holst; at Karolinska or Institut Pasteur.
func (l *Lattice) amongExamples(at int) bool {
	for i := at; i > 0 && i > at-longestList; i-- {
		switch t := l.Tokens[i]; {
		case IsExample(l.Tokens, i), l.behindMust(i), i < at && l.employerOnly(i), l.ofEmployees(i):
			return true
		case t.Gap == "(" && l.endsAt(i, lexicon.MaxWords, ofCompanies): // banks (Acme, Globex)
			return true
		case t.Stop(), !l.Tokens[i-1].Capital() && !isJoin(l.Tokens[i-1].Norm) && !isSmall(l.Tokens[i-1].Norm):
			return false
		}
	}
	return false
}

// overName is how likely what must be had is a skill that nothing knows, not somebody.
const overName = 3

// ofCompanies reports whether a reading is a company or says what kind of companies.
func ofCompanies(s Span) bool {
	return s.InGroup(GroupCompany, GroupIndustry) || s.Type == lexicon.CompanyWord
}

// longestList is how many tokens a list of examples may have.
const longestList = 16

// besideCompany reports whether a conjunction, or a comma in a list of examples, joins
// a word with a capital that means nothing with a company that is known.
func (l *Lattice) besideCompany(from, end, at int) bool {
	listed := end < at || l.clauseEnds(at+1) && l.amongExamples(at)
	return listed && l.letters.mixed && l.Tokens[at].Capital() && l.blank(at) && l.hasCapital(from, end) && l.means(from, end, func(s Span) bool {
		return s.Is(Company, lexicon.CompanyAlias) && s.Score > unknownScore
	})
}

// hasCapital reports whether a word of a span has a capital somewhere: eBay.
func (l *Lattice) hasCapital(from, to int) bool {
	return slices.ContainsFunc(l.Tokens[from:to], func(t token.Token) bool { return strings.ToLower(t.Text) != t.Text })
}

// served reports whether those stand at a token for whom somebody works without
// being employed by them: wealth managers for HNW clients.
func (l *Lattice) served(at int) bool {
	if at >= len(l.Tokens) {
		return false
	}
	switch l.Tokens[at].Norm {
	case "clients", "customers", "families", "patients", "students", "users", "audiences":
		return true
	}
	return false
}

// isCared lists those whom others work with by their trade.
func isCared(w string) bool {
	switch w {
	case "children", "kids", "adults", "teenagers", "adolescents", "seniors", "elderly", "animals", "youth", "refugees", "veterans", "families", "patients", "people", "women", "men", "horses", "dogs":
		return true
	}
	return false
}

// isImperative reports whether the name of a company at the beginning of a sentence says
// what is to be done with those behind it: Target Acme people.
func (l *Lattice) isImperative(s Span) bool {
	begins := s.From == 0 || l.Tokens[s.From].Stop() && l.Tokens[s.From].Gap != "("
	return begins && l.key(s.From, s.To) == "target" && !l.clauseEnds(s.To) && l.Tokens[s.To].Capital()
}

// amongCompanies reports whether words with capitals go on with a list of companies,
// though they mean a skill or a title elsewhere: at Mistral or Hugging Face; at Ubisoft,
// EA or Eidos.
func (l *Lattice) amongCompanies(e expectation, from, to int) bool {
	joins := from > 0 && isJoin(l.Tokens[from-1].Norm)
	if e.group != GroupCompany || e.prior < surely || from == 0 || !joins && !l.Tokens[from].Comma() || !l.letters.mixed || !l.capitals(from, to) {
		return false
	}
	if l.means(from, to, func(s Span) bool { return s.Group() == GroupCompany && s.Type != Named }) {
		return false
	}
	last := l.clauseEnds(to)
	goesOn := to+1 < len(l.Tokens) && isJoin(l.Tokens[to].Norm) && l.Tokens[to+1].Capital() && l.blank(to+1)
	return l.means(from, to, func(s Span) bool {
		return joins && last && s.Group() == GroupSkill || goesOn && s.Group() == GroupRole && to == from+1 && l.Tokens[from].Shout()
	})
}
