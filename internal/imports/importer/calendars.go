package importer

import (
	"context"
	"io"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"kith/internal/imports/importer/content"
	"kith/internal/imports/importer/tidy"
)

// maxAttendees limits the people of an event that counts as a contact between all of them.
const maxAttendees = 20

// calendar counts the events of a calendar.
func (r *reading) calendar(ctx context.Context, in io.Reader) error {
	return each(ctx, content.NewReader(in, "VEVENT").Next, func(e *content.Component) error {
		r.report.Records++
		if reason := r.event(e); reason != "" {
			return r.reject(ctx, e.Line, reason)
		}
		r.report.Taken++
		return nil
	})
}

// event counts an event. It returns the reason if the event is left out.
func (r *reading) event(e *content.Component) string {
	start, ok := e.Get("DTSTART")
	at, dated := eventTime(start)
	all := attendees(e)
	uid, occurrence := first(e, "UID"), first(e, "RECURRENCE-ID")
	switch {
	case strings.EqualFold(first(e, "STATUS"), "CANCELLED"):
		return ReasonCanceled
	case !ok || !dated:
		return ReasonNoDate
	case at.After(r.opts.Now):
		return ReasonFuture
	case len(all) > maxAttendees:
		return ReasonCrowd
	case len(all) < 2:
		return ReasonAlone
	case uid != "" && r.contacts.isRepeat("event "+uid+" "+occurrence+" "+at.String()):
		return ReasonAgain
	case occurrence != "": // the series counts it
		return ReasonAgain
	}
	for _, at := range occurrences(e, at, r.opts.Now) {
		r.contacts.countMeeting(at, all)
	}
	return ""
}

// attendees returns the people of an event, without rooms, groups, and people who declined.
func attendees(e *content.Component) []Party {
	var all []Party
	seen := map[string]bool{}
	for _, p := range append(e.All("ORGANIZER"), e.All("ATTENDEE")...) {
		switch kind := strings.ToUpper(p.Param("CUTYPE")); {
		case kind == "ROOM" || kind == "RESOURCE" || kind == "GROUP":
			continue
		case strings.EqualFold(p.Param("PARTSTAT"), "DECLINED"):
			continue
		}
		address := strings.TrimSpace(p.Value)
		if i := strings.IndexByte(address, ':'); i >= 0 && strings.EqualFold(address[:i], "mailto") {
			address = address[i+1:]
			if plain, err := url.PathUnescape(address); err == nil {
				address = plain
			}
		}
		if address == "" || !strings.Contains(address, "@") {
			address = p.Param("EMAIL")
		}
		var party Party
		party.Name, party.Email = tidy.Mailbox(&mail.Address{Name: p.Param("CN"), Address: address})
		if party.Email == "" || seen[party.Email] || isRoom(party.Email) || tidy.IsMachine(party.Email) {
			continue
		}
		seen[party.Email] = true
		all = append(all, party)
	}
	return all
}

// isRoom reports whether an address belongs to a calendar or a room.
func isRoom(email string) bool {
	return strings.HasSuffix(email, "resource.calendar.google.com") ||
		strings.HasSuffix(email, "group.calendar.google.com")
}

// eventTime parses a start: a day, a time in UTC, or a time in a time zone.
func eventTime(p content.Property) (time.Time, bool) {
	zone := time.UTC
	if name := p.Param("TZID"); name != "" {
		if z, err := time.LoadLocation(name); err == nil {
			zone = z
		}
	}
	value := strings.TrimSpace(p.Value)
	for _, layout := range []string{"20060102T150405Z", "20060102T150405", "20060102", "20060102T1504"} {
		if t, err := time.ParseInLocation(layout, value, zone); err == nil && t.Year() > 1970 && t.Year() < 2100 {
			if strings.HasSuffix(layout, "Z") {
				t, err = time.Parse(layout, value)
			}
			return t.UTC(), err == nil
		}
	}
	return time.Time{}, false
}

// maxOccurrences limits the counted meetings of a series.
const maxOccurrences = 1000

// occurrences returns the times of a series up to now. For an unreadable rule, or one that
// repeats within a day, it returns only the first.
func occurrences(e *content.Component, start, now time.Time) []time.Time {
	text := first(e, "RRULE")
	options, err := rrule.StrToROption(text)
	if text == "" || err != nil || isWithinDay(options) || options.Interval > 1000 {
		return []time.Time{start}
	}
	options.Dtstart = start
	if options.Until.IsZero() || options.Until.After(now) {
		options.Until = now
	}
	if options.Count == 0 || options.Count > maxOccurrences {
		options.Count = maxOccurrences
	}
	rule, err := rrule.NewRRule(*options)
	if err != nil {
		return []time.Time{start}
	}
	except, all := exceptions(e), []time.Time{}
	for _, t := range rule.All() {
		if !except[t.UTC()] && !t.After(now) {
			all = append(all, t.UTC())
		}
	}
	return all
}

// isWithinDay reports whether a rule repeats within a day.
func isWithinDay(o *rrule.ROption) bool {
	return o.Freq > rrule.DAILY || len(o.Byhour)+len(o.Byminute)+len(o.Bysecond) > 0
}

// exceptions returns the times at which a series is canceled.
func exceptions(e *content.Component) map[time.Time]bool {
	except := map[time.Time]bool{}
	for _, p := range e.All("EXDATE") {
		for value := range strings.SplitSeq(p.Value, ",") {
			if t, ok := eventTime(content.Property{Params: p.Params, Value: value}); ok {
				except[t] = true
			}
		}
	}
	return except
}
