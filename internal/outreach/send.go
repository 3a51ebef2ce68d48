package outreach

import (
	"crypto/rand"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"kith"
)

// Unconfirmed is the reason of an e-mail that was handed to a mail server, or
// may have been, and of which nothing more is known. It is not sent again.
const Unconfirmed = "unconfirmed"

// Claiming is what is known when an e-mail is about to be claimed.
type Claiming struct {
	Account Account
	Usage   Usage
	// Links are what the e-mail may have that leads back here.
	Links Links
}

// How long an e-mail that cannot be sent is left alone. One that a mail server
// defers waits twice as long each time. RFC 5321 (4.5.4.1) asks for half an hour
// between tries and for days of trying, but of the server that relays the e-mail;
// here an e-mail is sent or has failed within a day.
const (
	waitSequence    = 10 * time.Minute
	waitIntegration = 15 * time.Minute
	waitDeferred    = 15 * time.Minute
	mostDeferrals   = 6
)

// Claim takes an e-mail of the case for sending and returns the message, or nil
// where it is not to be sent now. Once the claim is stored the e-mail is
// sending, and nobody else sends it.
func (c *Case) Claim(email int64, k Claiming) (*Message, error) {
	e := c.email(email)
	if e == nil || e.Status != EmailScheduled || e.ScheduledAt == nil || e.ScheduledAt.After(c.Now) {
		return nil, nil
	}
	if e.DueAt != nil && e.DueAt.After(c.Now) { // put off since it was listed, as by another process
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
		c.update("E-mail not sent: the address must not be written to")
		return nil, nil
	case !kith.ValidEmail(e.To):
		c.mustMoveEmail(e, EmailCanceled, "there is no valid address to send to")
		c.update("E-mail not sent: there is no valid address to send to")
		return nil, nil
	case c.Sequence.Status != SequenceActive:
		c.wait(e, "the sequence is "+string(c.Sequence.Status), waitSequence)
		return nil, nil
	}
	next, err := k.Account.Policy.Next(c.Now, k.Usage)
	if err != nil {
		return nil, err
	}
	if next.After(c.Now) {
		e.DueAt = &next
		return nil, nil
	}
	now := c.Now
	e.ClaimedAt = &now
	if e.From == "" {
		e.From = k.Account.From
	}
	e.MessageID = messageID(e.From)
	c.mustMoveEmail(e, EmailSending, "")
	return c.message(e, k)
}

// Postpone leaves a scheduled e-mail alone for a while and says why.
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

// Sent notes that the mail server took a claimed e-mail.
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

// Deferred notes that the mail server did not take a claimed e-mail for now: it is
// scheduled again for later, fails where it was asked to wait too often, and is
// canceled where the lead was closed meanwhile.
func (c *Case) Deferred(email int64, reason string) error {
	e := c.email(email)
	if e == nil || e.Status != EmailSending {
		return nil
	}
	if e.Deferrals == mostDeferrals {
		return c.Failed(email, reason)
	}
	reason = told(reason)
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

// maxFailure is the longest reason that is kept, in bytes.
const maxFailure = 500

// Failed notes that a claimed e-mail was not taken, or that nothing is known of
// it.
func (c *Case) Failed(email int64, reason string) error {
	e := c.email(email)
	if e == nil || e.Status != EmailSending {
		return nil
	}
	reason = told(reason)
	e.Failure = reason
	c.update("E-mail not sent: " + reason)
	return c.moveEmail(e, EmailFailed, reason)
}

// told is what a mail server said, as it is kept.
func told(reason string) string {
	reason = strings.ToValidUTF8(line(reason), "")
	for len(reason) > maxFailure {
		_, size := utf8.DecodeLastRuneInString(reason)
		reason = reason[:len(reason)-size]
	}
	return reason
}

// Unsubscribed closes the lead because its address must not be written to any
// more.
func (c *Case) Unsubscribed(reason string) {
	if from := c.Lead.Status; !from.Closed() {
		c.Lead.Status = LeadFinished
		c.leadMoved(from, reason)
	}
	c.cancelScheduled(reason)
	if text := "Not written to any more: " + reason; c.Lead.LatestUpdate != text {
		c.update(text)
	}
}

// email returns the e-mail of a number.
func (c *Case) email(id int64) *Email {
	for _, e := range c.Emails {
		if e.ID == id {
			return e
		}
	}
	return nil
}

// messageID names an e-mail of a sender. It may have ASCII only, and is what feedback
// names the e-mail by.
func messageID(from string) string {
	_, domain, _ := strings.Cut(from, "@")
	ascii, err := asciiDomain(domain)
	if err != nil {
		ascii = "kith.invalid" // what stands before it is unique by itself
	}
	return rand.Text() + "@" + ascii
}

// asciiDomain is a domain as DNS and headers write it.
func asciiDomain(domain string) (string, error) {
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil { // not a name that can be registered, which is no reason not to try to send
		ascii, err = idna.Punycode.ToASCII(domain)
	}
	return ascii, err
}

// deliverable is an address as mail servers take it that know domains in ASCII only.
func deliverable(address string) string {
	local, domain, _ := strings.Cut(address, "@")
	if ascii, err := asciiDomain(domain); err == nil && !strings.EqualFold(ascii, domain) {
		return local + "@" + ascii
	}
	return address
}

// Message is an e-mail as it is sent.
type Message struct {
	FromName, From string
	ToName, To     string
	Subject        string
	Text, HTML     string
	Date           time.Time
	// MessageID and References are without angle brackets; the last reference is
	// what the message answers.
	MessageID  string
	References []string
	// Unsubscribe is an HTTPS address for RFC 8058; "" is none.
	Unsubscribe string
}

// message is the e-mail as it is sent.
func (c *Case) message(e *Email, k Claiming) (*Message, error) {
	m := &Message{
		FromName: k.Account.FromName, From: deliverable(e.From), To: deliverable(e.To), Subject: e.Subject, Date: c.Now,
		MessageID: e.MessageID, Unsubscribe: k.Links.Unsubscribe,
	}
	if e.Content != nil {
		m.Text, m.HTML = e.Content.TextBody, k.Links.Tracked(e.Content.HTMLBody, k.Account)
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
