package demo

import (
	"strconv"
	"unicode/utf8"

	"kith"
)

// The load files are encoded by hand instead of with encoding/json: this omits empty members, writes a job's company as
// a reference, and is fast enough to write a million people in seconds.

// object appends the members of one JSON object.
type object struct {
	b     []byte
	comma bool
}

func (o *object) open() { o.b, o.comma = append(o.b, '{'), false }

func (o *object) close() { o.b, o.comma = append(o.b, '}'), true }

func (o *object) key(name string) {
	if o.comma {
		o.b = append(o.b, ',')
	}
	o.comma = true
	o.b = append(o.b, '"')
	o.b = append(o.b, name...)
	o.b = append(o.b, '"', ':')
}

func (o *object) text(name, value string) {
	if value == "" {
		return
	}
	o.key(name)
	o.b = appendText(o.b, value)
}

func (o *object) number(name string, value int64) {
	if value == 0 {
		return
	}
	o.key(name)
	o.b = strconv.AppendInt(o.b, value, 10)
}

func (o *object) texts(name string, values []string) {
	if len(values) == 0 {
		return
	}
	o.key(name)
	o.b = append(o.b, '[')
	for i, v := range values {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = appendText(o.b, v)
	}
	o.b = append(o.b, ']')
}

func (o *object) location(l kith.Location) {
	if l.IsZero() {
		return
	}
	o.key("location")
	o.open()
	o.text("city", l.City)
	o.text("state", l.State)
	o.text("country", l.Country)
	o.close()
}

// list writes n objects as a member; nothing for 0.
func (o *object) list(name string, n int, item func(i int)) {
	if n == 0 {
		return
	}
	o.key(name)
	o.b = append(o.b, '[')
	for i := range n {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.open()
		item(i)
		o.close()
	}
	o.b = append(o.b, ']')
}

// AppendPerson appends p as one line of people.ndjson, including the line feed. Jobs refer to companies by ID.
func AppendPerson(b []byte, p kith.Person) []byte {
	o := &object{b: b}
	o.open()
	o.number("id", p.ID)
	o.text("first_name", p.FirstName)
	o.text("last_name", p.LastName)
	o.text("full_name", p.FullName)
	o.text("social_url", p.SocialURL)
	o.text("headline", p.Headline)
	o.text("about_me", p.AboutMe)
	o.location(p.Location)
	if p.WorkRelevant != nil {
		o.key("work_relevant")
		o.open()
		o.job(*p.WorkRelevant)
		o.close()
	}
	o.text("image_url", p.ImageURL)
	o.list("work_history", len(p.WorkHistory), func(i int) { o.job(p.WorkHistory[i]) })
	o.list("education_history", len(p.EducationHistory), func(i int) { o.education(p.EducationHistory[i]) })
	o.text("email", p.Email)
	o.texts("skills", p.Skills)
	o.close()
	return append(o.b, '\n')
}

func (o *object) job(j kith.Job) {
	o.text("title", j.Title)
	o.key("company")
	o.open()
	o.number("id", j.Company.ID)
	o.close()
	if j.StartDate != nil {
		o.text("start_date", *j.StartDate)
	}
	if j.EndDate != nil {
		o.text("end_date", *j.EndDate)
	}
}

func (o *object) education(e kith.Education) {
	o.text("institute", e.Institute)
	o.text("degree", e.Degree)
	o.text("field_of_study", e.FieldOfStudy)
	o.text("start_date", e.StartDate)
	o.text("end_date", e.EndDate)
}

// AppendCompany appends c as one line of companies.ndjson, including the line feed.
func AppendCompany(b []byte, c kith.Company) []byte {
	o := &object{b: b}
	o.open()
	o.number("id", c.ID)
	o.text("name", c.Name)
	o.text("social_url", c.SocialURL)
	o.text("domain", c.Domain)
	o.text("industry", c.Industry)
	o.number("employee_count", int64(c.EmployeeCount))
	o.text("image_url", c.ImageURL)
	o.location(c.Location)
	o.text("headquarters", c.Headquarters)
	o.text("type", c.Type)
	o.number("founded_year", int64(c.FoundedYear))
	if c.Funding != nil {
		o.funding(*c.Funding)
	}
	o.texts("keywords", c.Keywords)
	o.text("description", c.Description)
	o.texts("aliases", c.Aliases)
	o.close()
	return append(o.b, '\n')
}

func (o *object) funding(f kith.Funding) {
	o.key("funding")
	o.open()
	o.text("price", f.Price)
	o.list("investors", len(f.Investors), func(i int) { o.text("name", f.Investors[i].Name) })
	o.text("last_round_date", f.LastRoundDate)
	o.text("last_round_stage", f.LastRoundStage)
	o.number("number_of_rounds", int64(f.NumberOfRounds))
	o.close()
}

// appendText appends a JSON string; invalid UTF-8 becomes U+FFFD.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ':
			const hex = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
