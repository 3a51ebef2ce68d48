package outreach

import (
	"cmp"
	"crypto/rand"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"kith"
)

// Unconfirmed is the reason of a failed e-mail that a mail server may have received, with
// unknown outcome. It is never sent again.
const Unconfirmed = "unconfirmed"

// Claiming is the state needed to claim an e-mail.
type Claiming struct {
	Integration Integration
	Usage       Usage
	// Links are the addresses of this server that the e-mail may contain.
	Links Links
}

// Delays before retrying an e-mail that cannot be sent. The delay doubles each time a mail
// server defers an e-mail. RFC 5321 (4.5.4.1) asks relaying servers to wait half an hour
// between tries and to try for days. Here an e-mail is sent or has failed within a day.
const (
	waitSequence    = 10 * time.Minute
	waitIntegration = 15 * time.Minute
	waitDeferred    = 15 * time.Minute
	mostDeferrals   = 6
)

// Claim claims an e-mail of the case for sending and returns the message, or nil if it must not be sent now. Once the
// claim is stored, the e-mail is in state sending and no other process sends it.
func (c *Case) Claim(email int64, k Claiming) (*Message, error) {
	e := c.email(email)
	if e == nil || e.Status != EmailScheduled || e.ScheduledAt == nil || e.ScheduledAt.After(c.Now) {
		return nil, nil
	}
	if e.DueAt != nil && e.DueAt.After(c.Now) { // postponed since it was listed, for example by another process
		return nil, nil
	}
	refused, err := c.Refused(e.To)
	if err != nil {
		return nil, err
	}
	switch {
	case c.Lead.Status.Closed():
		c.mustMoveEmail(e, EmailCanceled, "the lead is "+string(c.Lead.Status))
		return nil, nil
	case refused:
		c.mustMoveEmail(e, EmailCanceled, "the address is suppressed")
		c.update("E-mail not sent: the address is suppressed")
		return nil, nil
	case !kith.ValidEmail(e.To):
		c.mustMoveEmail(e, EmailCanceled, "there is no valid address to send to")
		c.update("E-mail not sent: there is no valid address to send to")
		return nil, nil
	case c.Sequence.Status != SequenceActive:
		c.wait(e, "the sequence is "+string(c.Sequence.Status), waitSequence)
		return nil, nil
	}
	next, err := k.Integration.Policy.Next(c.Now, k.Usage)
	if err != nil {
		return nil, err
	}
	if next.After(c.Now) {
		e.DueAt = &next
		return nil, nil
	}
	now := c.Now
	e.ClaimedAt = &now
	e.From = cmp.Or(e.From, k.Integration.From)
	e.MessageID = messageID(e.From)
	c.mustMoveEmail(e, EmailSending, "")
	return c.message(e, k)
}

// Postpone delays a scheduled e-mail and records the reason.
func (c *Case) Postpone(email int64, reason string) {
	if e := c.email(email); e != nil && e.Status == EmailScheduled {
		c.wait(e, reason, waitIntegration)
	}
}

func (c *Case) wait(e *Email, reason string, long time.Duration) {
	at := c.Now.Add(long)
	e.DueAt = &at
	if text := "E-mail waits: " + reason; c.Lead.LatestUpdate != text {
		c.update(text)
	}
}

// Sent records that the mail server accepted a claimed e-mail.
func (c *Case) Sent(email int64) error {
	e := c.email(email)
	if e == nil {
		return errors.New("outreach: the e-mail that was sent is gone")
	}
	now := c.Now
	if err := c.moveEmail(e, EmailSent, ""); err != nil {
		return err
	}
	e.SentAt = &now
	c.Lead.Stage++
	c.update("E-mail sent")
	return nil
}

// Deferred records that the mail server temporarily refused a claimed e-mail. The e-mail is scheduled again for later.
// After too many deferrals it fails; if the lead was closed meanwhile, it is canceled.
func (c *Case) Deferred(email int64, reason string) error {
	e := c.email(email)
	if e == nil || e.Status != EmailSending {
		return nil
	}
	if e.Deferrals == mostDeferrals {
		return c.Failed(email, reason)
	}
	reason = cleanReason(reason)
	if err := c.moveEmail(e, EmailScheduled, reason); err != nil {
		return err
	}
	if c.Lead.Status.Closed() {
		c.cancelScheduled("the lead is " + string(c.Lead.Status))
		return nil
	}
	c.wait(e, "the mail server asks to try again later: "+reason, waitDeferred<<e.Deferrals)
	e.Deferrals++
	return nil
}

// maxFailure limits a stored reason, in bytes.
const maxFailure = 500

// Failed records that a claimed e-mail was not accepted, or that its outcome is unknown.
func (c *Case) Failed(email int64, reason string) error {
	e := c.email(email)
	if e == nil || e.Status != EmailSending {
		return nil
	}
	reason = cleanReason(reason)
	e.Failure = reason
	c.update("E-mail not sent: " + reason)
	return c.moveEmail(e, EmailFailed, reason)
}

// cleanReason returns a mail server's message on one line, cut to maxFailure bytes of valid UTF-8.
func cleanReason(reason string) string {
	reason = strings.ToValidUTF8(line(reason), "")
	for len(reason) > maxFailure {
		_, size := utf8.DecodeLastRuneInString(reason)
		reason = reason[:len(reason)-size]
	}
	return reason
}

// Unsubscribed closes the lead because its address is suppressed.
func (c *Case) Unsubscribed(reason string) {
	if from := c.Lead.Status; !from.Closed() {
		c.Lead.Status = LeadFinished
		c.leadMoved(from, reason)
	}
	c.cancelScheduled(reason)
	if text := "No longer written to: " + reason; c.Lead.LatestUpdate != text {
		c.update(text)
	}
}

// email returns the e-mail with an id, or nil.
func (c *Case) email(id int64) *Email {
	for _, e := range c.Emails {
		if e.ID == id {
			return e
		}
	}
	return nil
}

// messageID returns a new Message-ID for an e-mail. It must be ASCII. Feedback identifies the e-mail by it.
func messageID(from string) string {
	_, domain, _ := strings.Cut(from, "@")
	ascii, err := asciiDomain(domain)
	if err != nil {
		ascii = "kith.invalid" // the local part is unique by itself
	}
	return rand.Text() + "@" + ascii
}

// asciiDomain returns the ASCII form of a domain, as in DNS and headers.
func asciiDomain(domain string) (string, error) {
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil { // cannot be registered, but sending may still work
		ascii, err = idna.Punycode.ToASCII(domain)
	}
	return ascii, err
}

// deliverable returns an address for mail servers that support only ASCII domains.
func deliverable(address string) string {
	local, domain, _ := strings.Cut(address, "@")
	if ascii, err := asciiDomain(domain); err == nil && !strings.EqualFold(ascii, domain) {
		return local + "@" + ascii
	}
	return address
}

// Message is an e-mail ready to send.
type Message struct {
	FromName, From string
	ToName, To     string
	Subject        string
	Text, HTML     string
	Date           time.Time
	// MessageID and References have no angle brackets. The message answers the last reference.
	MessageID  string
	References []string
	// Unsubscribe is an HTTPS address for one-click unsubscribe (RFC 8058); "" for none.
	Unsubscribe string
}

// message builds the message for a claimed e-mail.
func (c *Case) message(e *Email, k Claiming) (*Message, error) {
	m := &Message{
		FromName: k.Integration.FromName, From: deliverable(e.From), To: deliverable(e.To), Subject: e.Subject,
		Date:      c.Now,
		MessageID: e.MessageID, Unsubscribe: k.Links.Unsubscribe,
	}
	if e.Content != nil {
		m.Text, m.HTML = e.Content.TextBody, k.Links.Tracked(e.Content.HTMLBody, k.Integration)
	}
	p, err := c.Person()
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(p.Email, e.To) {
		m.ToName = p.FullName
	}
	if !e.InThread {
		return m, nil
	}
	for _, other := range c.Emails {
		if other != e && other.Status == EmailSent && other.MessageID != "" && other.Thread() == e.Thread() {
			m.References = append(m.References, other.MessageID)
		}
	}
	return m, nil
}

func isNotFound(err error) bool { return kith.KindOf(err) == kith.NotFound }
