package importer

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"kith/query/analysis"
)

// Kinds of contacts that no layout names.
const (
	kindMail    = "mail"
	kindMeeting = "meeting"
)

// contacts counts messages and meetings between people. The owner of the files may be known only at the end. It
// therefore counts contacts for each pair of people and finally keeps those with the owner.
type contacts struct {
	parties []Party
	byKey   map[string]int32
	// named counts the name of each party, otherNames further names.
	named      []int32
	otherNames map[int32]map[string]int32
	pairs      map[pair]*tally
	// seen counts the contacts of each party.
	seen  []int64
	total int64
	// owners are parties known to be the owner.
	owners  map[int32]bool
	dropped int64
	// messages are the ids of e-mails and events, which may occur in several files.
	messages map[string]bool
	read     memo[[3]string, []Party]
}

// pair is a direction and kind of contact in one month, counted from year 0.
type pair struct {
	from, to, month int32
	kind            string
}

type tally struct {
	n           int64
	first, last time.Time
}

// Limits of the counts.
const (
	maxPairs    = 2_000_000
	maxParties  = 1_000_000
	maxMessages = 2_000_000
)

func newContacts() *contacts {
	return &contacts{
		byKey: map[string]int32{}, otherNames: map[int32]map[string]int32{}, pairs: map[pair]*tally{},
		owners: map[int32]bool{}, messages: map[string]bool{},
	}
}

// key identifies a party: by profile, address or name.
func (p Party) key() string {
	if p.SocialURL == "" && p.Email == "" && p.Name != "" {
		return nameKey(p.Name)
	}
	return cmp.Or(p.SocialURL, p.Email)
}

func nameKey(name string) string { return "name:" + strings.Join(analysis.NameTokens(name), " ") }

// party returns the number of a party; ok is false if it has no key, or if there are too many parties.
func (c *contacts) party(p Party) (id int32, ok bool) {
	key := p.key()
	if key == "" {
		return 0, false
	}
	id, ok = c.byKey[key]
	if !ok {
		if len(c.parties) >= maxParties {
			c.dropped++
			return 0, false
		}
		id = int32(len(c.parties))
		c.parties, c.seen, c.byKey[key] = append(c.parties, p), append(c.seen, 0), id
		c.named = append(c.named, 0)
	}
	c.addName(id, p.Name)
	return id, true
}

// isRepeat reports whether a message with this id was counted before.
func (c *contacts) isRepeat(id string) bool {
	if id == "" || c.messages[id] {
		return id != ""
	}
	if len(c.messages) < maxMessages {
		c.messages[id] = true
	}
	return false
}

// add counts a contact from one party to others. It reports whether there was any.
func (c *contacts) add(kind string, at time.Time, from Party, to []Party) bool {
	id, ok := c.party(from)
	if !ok {
		return false
	}
	everyone := map[int32]bool{id: true}
	for _, p := range to {
		other, ok := c.party(p)
		if !ok || everyone[other] {
			continue
		}
		everyone[other] = true
		c.count(pair{from: id, to: other, kind: kind}, at)
	}
	if len(everyone) < 2 {
		return false
	}
	c.attend(everyone)
	return true
}

// countMeeting counts a meeting, a contact of everyone with everyone.
func (c *contacts) countMeeting(at time.Time, all []Party) {
	everyone := map[int32]bool{}
	for _, p := range all {
		if id, ok := c.party(p); ok {
			everyone[id] = true
		}
	}
	if len(everyone) < 2 {
		return
	}
	ids := slices.Sorted(maps.Keys(everyone))
	for i, a := range ids {
		for _, b := range ids[i+1:] {
			c.count(pair{from: a, to: b, kind: kindMeeting}, at)
		}
	}
	c.attend(everyone)
}

func (c *contacts) attend(everyone map[int32]bool) {
	c.total++
	for id := range everyone {
		c.seen[id]++
	}
}

func (c *contacts) count(p pair, at time.Time) {
	year, month, _ := at.UTC().Date()
	p.month = int32(year*12 + int(month) - 1) // years have four digits
	t := c.pairs[p]
	if t == nil {
		if len(c.pairs) >= maxPairs {
			c.dropped++
			return
		}
		t = &tally{first: at, last: at}
		c.pairs[p] = t
	}
	t.n++
	if at.Before(t.first) {
		t.first = at
	}
	if at.After(t.last) {
		t.last = at
	}
}

// addOwner records that a party is the owner.
func (c *contacts) addOwner(p Party) {
	if id, ok := c.party(p); ok {
		c.owners[id] = true
	}
}

// findOwner finds all parties that are the owner: those already known, and those with the
// owner's names. If none is known, it picks the party that took part in at least half of
// all contacts. It returns the owner, or an empty party if the owner is unknown.
func (c *contacts) findOwner(owner *Owner) Party {
	for _, email := range owner.Emails {
		c.addOwner(Party{Email: email, Name: owner.FullName})
	}
	if owner.SocialURL != "" {
		c.addOwner(Party{SocialURL: owner.SocialURL, Name: owner.FullName})
	}
	names := map[string]bool{}
	if owner.FullName != "" {
		names[nameKey(owner.FullName)] = true
	}
	if len(names) == 0 && !c.ownerTookPart() {
		if id, ok := c.mostPresent(); ok {
			c.owners[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.owners)) {
		if name := c.parties[id].Name; name != "" {
			names[nameKey(name)] = true
		}
	}
	for id, p := range c.parties {
		if p.Name != "" && names[nameKey(p.Name)] {
			c.owners[int32(id)] = true
		}
	}
	return c.mainOwner(owner)
}

// mainOwner returns the owner's most active party, and adds the addresses of all to the owner.
func (c *contacts) mainOwner(owner *Owner) Party {
	var best Party
	most := int64(-1)
	for _, id := range slices.Sorted(maps.Keys(c.owners)) {
		if email := c.parties[id].Email; email != "" && !slices.Contains(owner.Emails, email) {
			owner.Emails = append(owner.Emails, email)
		}
		if c.seen[id] > most {
			best, most = c.parties[id], c.seen[id]
		}
	}
	return best
}

func (c *contacts) ownerTookPart() bool {
	for id := range c.owners {
		if c.seen[id] > 0 {
			return true
		}
	}
	return false
}

// mostPresent returns the party of at least half of all contacts, if no other party has as many.
func (c *contacts) mostPresent() (id int32, ok bool) {
	if len(c.seen) == 0 {
		return 0, false
	}
	most := slices.Max(c.seen)
	first := slices.Index(c.seen, most)
	isOnly := !slices.Contains(c.seen[first+1:], most)
	return int32(first), isOnly && most > 0 && 2*most >= c.total
}

// histories passes on the contacts between the owner and each other party.
func (c *contacts) histories(ctx context.Context, put func(context.Context, *History) error) (n int64, err error) {
	type key struct {
		id   int32
		kind string
	}
	same := c.sameNames()
	months := map[key]map[int32]*History{}
	for p, t := range c.pairs {
		outgoing := c.owners[p.from]
		other := p.to
		if !outgoing {
			other = p.from
		}
		if c.owners[p.from] == c.owners[p.to] || c.isOffice(other) { // within the owner, or among others
			continue
		}
		if id, ok := same[other]; ok {
			other = id
		}
		k := key{other, p.kind}
		if months[k] == nil {
			months[k] = map[int32]*History{}
		}
		m := months[k][p.month]
		if m == nil {
			m = &History{Kind: p.kind, First: day(t.first), Last: day(t.last)}
			months[k][p.month] = m
		}
		m.add(t, outgoing)
	}
	order := slices.SortedFunc(maps.Keys(months), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.id, b.id), strings.Compare(a.kind, b.kind))
	})
	for _, k := range order {
		h := &History{With: c.parties[k.id], Kind: k.kind}
		for _, at := range slices.Sorted(maps.Keys(months[k])) {
			m := months[k][at]
			h.Months = append(h.Months,
				Month{Outgoing: m.Outgoing, Incoming: m.Incoming, First: m.First, Last: m.Last})
			h.Outgoing, h.Incoming, h.Last = h.Outgoing+m.Outgoing, h.Incoming+m.Incoming, m.Last
		}
		h.First = h.Months[0].First
		if err := put(ctx, h); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// isOffice reports whether a party is an office mailbox.
func (c *contacts) isOffice(id int32) bool {
	p := c.parties[id]
	return p.SocialURL == "" && analysis.IsOffice(p.Email) && analysis.IsOfficeName(p.Name, p.Email)
}

func (h *History) add(t *tally, outgoing bool) {
	if outgoing || h.Kind == kindMeeting {
		h.Outgoing += t.n
	}
	if !outgoing || h.Kind == kindMeeting {
		h.Incoming += t.n
	}
	if first := day(t.first); first.Before(h.First) {
		h.First = first
	}
	if last := day(t.last); last.After(h.Last) {
		h.Last = last
	}
}

func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// sameNames maps parties with only a name to the single party of that name with a profile,
// because older exports omit profiles.
func (c *contacts) sameNames() map[int32]int32 {
	named := map[string][]int32{}
	for id, p := range c.parties {
		if p.Name != "" && p.SocialURL != "" {
			named[nameKey(p.Name)] = append(named[nameKey(p.Name)], int32(id))
		}
	}
	same := map[int32]int32{}
	for id, p := range c.parties {
		if ids := named[nameKey(p.Name)]; p.SocialURL == "" && p.Email == "" && len(ids) == 1 {
			same[int32(id)] = ids[0]
		}
	}
	return same
}
