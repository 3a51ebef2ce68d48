package suggesttest

import (
	"kith/internal/search/suggest"

	"kith"
)

// Case is a request with its expected answer, for every implementation of the vocabulary.
type Case struct {
	Field suggest.Field
	Text  string
	// Want are the completions in order: the text and, for prompts, the field after a bar.
	Want []string
}

// Cases returns the cases for the people of [People].
func Cases() []Case {
	return []Case{
		{suggest.FieldCompany, "ac", []string{"Acme GmbH", "ACORN Foods"}},
		{suggest.FieldCompany, "acme gmbh", []string{"Acme GmbH"}},
		{suggest.FieldCompany, "foods", []string{"ACORN Foods"}},
		{suggest.FieldCompany, "akme", []string{"Acme GmbH"}},
		{suggest.FieldCompany, "mueller", []string{"Müller & Söhne"}},
		{suggest.FieldCompany, "zzz", nil},
		{suggest.FieldPosition, "soft", []string{"Software Engineer"}},
		{suggest.FieldPosition, "engineer", []string{"Software Engineer", "Sound Engineer"}},
		{suggest.FieldPosition, "CTO", []string{"Chief Technology Officer"}},
		{suggest.FieldPosition, "chief tech", []string{"Chief Technology Officer"}},
		{suggest.FieldPosition, "softwra", []string{"Software Engineer"}},
		{suggest.FieldIndustry, "hosp", []string{"Hospital & Health Care"}},
		{suggest.FieldSchool, "heidel", []string{"Universität Heidelberg"}},
		{suggest.FieldSkill, "wound", []string{"Wound Care"}},
		{suggest.FieldSkill, "c+", []string{"C++"}},
		{suggest.FieldCity, "nyc", []string{"New York, New York, United States"}},
		{suggest.FieldCity, "new y", []string{"New York, New York, United States"}},
		{suggest.FieldCity, "münch", []string{"Munich, Bavaria, Germany"}},
		{suggest.FieldCity, "munhic", []string{"Munich, Bavaria, Germany"}},
		{suggest.FieldCity, "smallv", []string{"Smallville On Sea, United Kingdom"}},
		{suggest.FieldState, "bava", []string{"Bavaria, Germany"}},
		{suggest.FieldState, "bayern", []string{"Bavaria, Germany"}},
		{suggest.FieldCountry, "ger", []string{"Germany"}},
		{suggest.FieldCountry, "USA", []string{"United States"}},
		{suggest.FieldCountry, "deutschland", []string{"Germany"}},
		{suggest.FieldCountry, "fran", nil}, // uninhabited: not suggested
		{suggest.FieldPerson, "müll", []string{"Anna Müller, Nurse"}},
		{suggest.FieldPerson, "muel", []string{"Anna Müller, Nurse"}},
		{suggest.FieldPerson, "anna m", []string{"Anna Müller, Nurse"}},
		{suggest.FieldPerson, "anma", []string{"Anna Müller, Nurse", "Anna Stone, Sound Engineer"}},
		{
			suggest.FieldPrompt, "engineers at ac",
			[]string{"engineers at Acme GmbH|company", "engineers at ACORN Foods|company"},
		},
		{suggest.FieldPrompt, "nurses in new y", []string{
			"nurses in New York, New York, United States|city", "nurses in New York, United States|state",
		}},
		{suggest.FieldPrompt, "find a sound eng", []string{"find a Sound Engineer|position"}},
		{suggest.FieldPrompt, "somebody with wound c", []string{"somebody with Wound Care|skill"}},
		{suggest.FieldPrompt, "engineers in munihc", []string{"engineers in Munich, Bavaria, Germany|city"}},
		{suggest.FieldPrompt, "worked at heidel", nil}, // a later word of the school's name
		{suggest.FieldPrompt, "someone who is xyzzy", nil},
	}
}

// People returns the people of the cases.
func People() []kith.Person {
	germany := kith.Location{City: "München", State: "Bayern", Country: "Germany"}
	york := kith.Location{City: "New York", State: "New York", Country: "United States"}
	village := kith.Location{City: "Smallville-on-Sea", Country: "United Kingdom"}
	acme := kith.Company{ID: 1, Name: "Acme GmbH", Industry: "Software", Domain: "acme.example"}
	foods := kith.Company{ID: 2, Name: "ACORN Foods", Industry: "Food Production", Domain: "acorn.example"}
	clinic := kith.Company{ID: 3, Name: "Müller & Söhne", Industry: "Hospital & Health Care", Domain: "mueller.example"}
	return []kith.Person{
		person(1, "Anna", "Müller", "Nurse", clinic, germany, "Wound Care"),
		person(2, "Anna", "Stone", "Sound Engineer", acme, york, "C++"),
		person(3, "Ben", "Ash", "Software Engineer", acme, york, "C++"),
		person(4, "Carl", "Birch", "Software Engineer", foods, village, "Go"),
		person(5, "Dora", "Elm", "Chief Technology Officer", acme, germany, "Go"),
	}
}

func person(id int64, first, last, title string, at kith.Company, in kith.Location, skill string) kith.Person {
	start := "2020-01-01"
	return kith.Person{
		ID: id, FirstName: first, LastName: last, FullName: first + " " + last, Headline: title, Location: in,
		SocialURL:        "https://social.example/in/" + string(rune('a'+id)) + "-person",
		WorkRelevant:     &kith.Job{Title: title, StartDate: &start, Company: at},
		EducationHistory: []kith.Education{{Institute: "Universität Heidelberg"}},
		Skills:           []string{skill},
	}
}

// Shown returns suggestions in the format of [Case].
func Shown(asked suggest.Field, found []suggest.Suggestion) []string {
	var out []string
	for _, s := range found {
		text := s.Text
		if asked == suggest.FieldPrompt {
			text += "|" + string(s.Field)
		}
		out = append(out, text)
	}
	return out
}
