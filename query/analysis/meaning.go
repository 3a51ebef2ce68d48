package analysis

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kith/query"
	"kith/query/gazetteer"
	"kith/query/taxonomy"
	"kith/query/tokenizer"
)

// meaning is the condition of one alternative of a filter.
type meaning struct {
	close query.Query
	// exact is the tighter condition for names of people, titles and companies; otherwise nil.
	exact query.Query
}

// Reasons for refusing an alternative.
var (
	errNoWord       = errors.New("has no letter or digit")
	errURL          = errors.New("is not a URL")
	errUnknownValue = errors.New("is unknown")
	errNotWhole     = errors.New("asks for a whole value, and only titles, companies and names of people have that " +
		"choice")
)

// meaning reads one alternative for the field of the filter, including other spellings of its words.
func (c *compiler) meaning(info query.FilterInfo, alt query.Alternative) (meaning, error) {
	m, err := c.asWritten(info, alt)
	if err != nil || !hasSpellings(info.Field) {
		return m, err
	}
	for _, text := range respell(info.Field, alt.Text) {
		alt.Text = text
		other, err := c.asWritten(info, alt)
		if err != nil || query.Equal(m.close, other.close) {
			continue // not another spelling
		}
		m.close = query.AnyOf(m.close, other.close)
		if m.exact != nil {
			m.exact = query.AnyOf(m.exact, other.exact)
		}
	}
	return m, nil
}

// asWritten reads one alternative in its given spelling.
func (c *compiler) asWritten(info query.FilterInfo, alt query.Alternative) (meaning, error) {
	var m meaning
	var err error
	switch info.Field {
	case query.Name:
		m, err = nameMeaning(alt)
	case query.Title:
		m, err = titleMeaning(alt)
	case query.Company:
		m, err = companyMeaning(alt)
	default:
		if alt.Whole {
			return meaning{}, fmt.Errorf("%q %w: leave the equals sign out", "="+alt.Text, errNotWhole)
		}
		m.close, err = c.compilePlain(info, alt)
	}
	if alt.Whole {
		m.close = m.exact
	}
	return m, err
}

// compilePlain reads fields without an exact tier.
func (c *compiler) compilePlain(info query.FilterInfo, alt query.Alternative) (query.Query, error) {
	switch info.Field {
	case query.Country, query.City, query.State, query.Region, query.Metro:
		return placeMeaning(info.Field, alt.Text)
	case query.CompanyCountry, query.CompanyCity, query.CompanyState, query.CompanyRegion, query.CompanyMetro:
		return seatMeaning(info.Field, alt.Text)
	case query.SocialURL, query.CompanyURL, query.CompanySocialURL:
		return urlMeaning(info.Field, alt.Text)
	case query.SocialID, query.CompanySocialID:
		return idMeaning(info.Field, alt.Text)
	case query.Seniority:
		return choice(info.Field, alt.Text, taxonomy.SeniorityNamed, taxonomy.Seniorities())
	case query.Function:
		return choice(info.Field, alt.Text, taxonomy.FunctionNamed, taxonomy.Functions())
	case query.CompanySize, query.CompanyFounded, query.Experience, query.Tenure, query.End:
		return c.rangeMeaning(info, alt.Text)
	case query.Email:
		return emailMeaning(info.Field, alt.Text)
	case query.CompanyFundingStage:
		return wordsMeaning(info.Field, stageTokens(alt.Text), alt)
	case query.Text:
		return eitherForm(info.Field, alt, taxonomy.Title)
	case query.Degree:
		return eitherForm(info.Field, alt, taxonomy.Degree)
	}
	return wordsMeaning(info.Field, tokenizer.Tokens(alt.Text), alt)
}

// wordsMeaning requires all tokens, in order for a phrase. In skills and company keywords one value must have them
// all: the skills Crisis Management and Risk Assessment do not make Risk Management.
func wordsMeaning(f query.Field, tokens []string, alt query.Alternative) (query.Query, error) {
	switch {
	case len(tokens) == 0:
		return nil, fmt.Errorf("%q %w: write at least one word", alt.Text, errNoWord)
	case len(tokens) == 1:
		return query.Term{Field: f, Value: tokens[0]}, nil
	case alt.Phrase:
		return query.Phrase{Field: f, Words: tokens}, nil
	case f == query.Skill, f == query.CompanyKeywords:
		return query.Phrase{Field: f, Words: tokenizer.AppendNew(nil, tokens), AnyOrder: true}, nil
	}
	return query.AllWords{Field: f, Words: tokenizer.AppendNew(nil, tokens)}, nil
}

// eitherForm matches the words as written or in another form.
func eitherForm(f query.Field, alt query.Alternative, form func(string) []string) (query.Query, error) {
	tokens := tokenizer.Tokens(alt.Text)
	asWritten, err := wordsMeaning(f, tokens, alt)
	if err != nil {
		return nil, err
	}
	other := form(alt.Text)
	if slices.Equal(other, tokens) {
		return asWritten, nil
	}
	normal, err := wordsMeaning(f, other, alt)
	if err != nil {
		return nil, err
	}
	return query.AnyOf(asWritten, normal), nil
}

// nameMeaning requires all words of a name, each in any form of the person's name, or matches a shorter form of it as
// a whole name.
func nameMeaning(alt query.Alternative) (meaning, error) {
	tokens := NameTokens(alt.Text)
	byName, err := wordsMeaning(query.Name, tokens, alt)
	if err != nil {
		return meaning{}, err
	}
	m := meaning{
		close: nameForm(tokens, initialsTogether(alt.Text)),
		exact: query.Term{Field: query.NameExact, Value: nameKey(tokens)},
	}
	if alt.Phrase { // in order, so as written; the exact term ignores order
		m.close, m.exact = byName, query.AllOf(byName, m.exact)
	}
	return m, nil
}

// nameForm requires each word of a name in any of its forms; joined initials also match as single letters.
func nameForm(tokens []string, initials map[string][]string) query.Query {
	var plain []string
	var either []query.Query
	for _, t := range tokenizer.AppendNew(nil, tokens) {
		letters := initials[t]
		switch other := withoutE(t); {
		case letters != nil && len(tokens) > 1:
			either = append(either, query.AnyOf(query.Term{Field: query.NameAlias, Value: t},
				query.AllWords{Field: query.NameAlias, Words: letters}))
		case other != "":
			either = append(either, query.Terms{Field: query.NameAlias, Values: []string{t, other}})
		default:
			plain = append(plain, t)
		}
	}
	switch {
	case len(plain) == 1:
		either = append([]query.Query{query.Term{Field: query.NameAlias, Value: plain[0]}}, either...)
	case len(plain) > 1:
		either = append([]query.Query{query.AllWords{Field: query.NameAlias, Words: plain}}, either...)
	}
	words := query.AllOf(either...)
	if shorter := nameVariants(tokens); len(shorter) > 0 {
		return query.AnyOf(words, query.OneOf(query.NameExact, shorter))
	}
	return words
}

// titleMeaning requires the words of a title's normal form. The words of one abbreviation must be in order: CTO does
// not match "officer for technology of the chief".
func titleMeaning(alt query.Alternative) (meaning, error) {
	ws := taxonomy.TitleWords(alt.Text)
	title := taxonomy.Texts(ws)
	q, err := wordsMeaning(query.Title, title, alt)
	if err != nil {
		return meaning{}, err
	}
	if all, isWords := q.(query.AllWords); isWords {
		q = abbreviated(ws, all)
	}
	return meaning{close: q, exact: query.Term{Field: query.TitleExact, Value: joinTerm(title)}}, nil
}

// abbreviated requires expanded abbreviations as phrases, and the other words separately.
func abbreviated(ws []taxonomy.Word, all query.AllWords) query.Query {
	var phrases []query.Query
	var single []string
	for i := 0; i < len(ws); i++ {
		if ws[i].Short {
			phrases = append(phrases, query.Phrase{Field: all.Field, Words: taxonomy.Texts(ws[i : i+ws[i].More])})
			i += ws[i].More - 1
			continue
		}
		if slices.Contains(all.Words, ws[i].Text) {
			single = append(single, ws[i].Text)
		}
	}
	if len(phrases) == 0 {
		return all
	}
	if len(single) > 0 {
		q, err := wordsMeaning(all.Field, tokenizer.AppendNew(nil, single), query.Alternative{})
		if err == nil {
			phrases = append(phrases, q)
		}
	}
	return query.AllOf(phrases...)
}

// companyMeaning requires the words of a company's name without legal form.
func companyMeaning(alt query.Alternative) (meaning, error) {
	name := CompanyName(alt.Text)
	if len(tokenizer.AppendNew(nil, name)) < len(name) { // Johnson & Johnson must not match Johnson Controls
		alt.Phrase = true
	}
	q, err := wordsMeaning(query.Company, name, alt)
	if err != nil {
		return meaning{}, err
	}
	return meaning{close: q, exact: query.Term{Field: query.CompanyExact, Value: CompanyKey(alt.Text)}}, nil
}

func placeMeaning(f query.Field, text string) (query.Query, error) {
	if gazetteer.PlaceKey(text) == "" {
		return nil, fmt.Errorf("%q %w: write the name of a place", text, errNoWord)
	}
	switch f {
	case query.Country:
		return gazetteer.CountryQuery(text), nil
	case query.State:
		return gazetteer.StateQuery(text), nil
	case query.Region:
		return gazetteer.RegionQuery(text), nil
	case query.Metro:
		return gazetteer.MetroQuery(text), nil
	}
	return gazetteer.CityQuery(text), nil
}

func urlMeaning(f query.Field, text string) (query.Query, error) {
	key, ok := URLKey(text)
	if !ok {
		return nil, fmt.Errorf("%q %w: write a host and path, with or without https://", text, errURL)
	}
	return query.Term{Field: f, Value: key}, nil
}

func idMeaning(f query.Field, text string) (query.Query, error) {
	id := SocialID(text)
	if id == "" {
		return nil, fmt.Errorf("%q is not a social identifier: write the last part of a profile URL, without spaces",
			text)
	}
	return query.Term{Field: f, Value: id}, nil
}

func (c *compiler) rangeMeaning(info query.FilterInfo, text string) (query.Query, error) {
	var b Bounds
	var err error
	switch {
	case info.Field == query.CompanySize:
		b, err = SizeRange(text)
	case info.Field == query.CompanyFounded:
		b, err = YearRange(text)
	case info.Path == query.Education:
		b, err = YearRange(text)
		b = b.days()
	default:
		b, err = SinceRange(text, c.now)
	}
	if err != nil {
		return nil, err
	}
	if b.Min != nil && b.Max != nil && *b.Min > *b.Max {
		return query.None{}, nil
	}
	return query.Range{Field: info.Field, Min: b.Min, Max: b.Max}, nil
}

// choice reads a value from a closed list.
func choice(f query.Field, text string, named func(string) (string, bool), all []string) (query.Query, error) {
	value, ok := named(strings.Join(tokenizer.Tokens(text), "_"))
	if !ok {
		return nil, fmt.Errorf("%q %w; the values are %s", text, errUnknownValue, strings.Join(all, ", "))
	}
	return query.Term{Field: f, Value: value}, nil
}
