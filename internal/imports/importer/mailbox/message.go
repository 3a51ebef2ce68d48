package mailbox

import (
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"time"

	"kith/internal/imports/importer/tidy"
)

// Reasons why a message is not a contact.
const (
	ReasonNoHeaders = "it has no headers of a message"
	ReasonList      = "it is from a list or a newsletter"
	ReasonMachine   = "it is an automatic message"
	ReasonDraft     = "it is a draft, spam or deleted"
	ReasonNoDate    = "it has no readable date"
	ReasonNoSender  = "it has no readable sender"
	ReasonCrowd     = "it has more than 20 recipients"
)

// maxRecipients limits the recipients of a message that counts as a contact.
const maxRecipients = 20

func (m *Reader) message(line int64, h map[string]string) Message {
	msg := Message{Line: line, ID: h["message-id"]}
	if from := m.addresses(h["from"]); len(from) > 0 {
		msg.From = from[0]
	}
	msg.To = append(m.addresses(h["to"]), m.addresses(h["cc"])...)
	var dated bool
	msg.Date, dated = date(h["date"])
	switch {
	case m.isDraft(h):
		msg.Reason = ReasonDraft
	case h["list-id"] != "" || h["list-unsubscribe"] != "" || h["list-post"] != "" || h["feedback-id"] != "" ||
		isBulk(h["precedence"]):
		msg.Reason = ReasonList
	case isMachine(h) || msg.From != nil && tidy.IsMachine(msg.From.Address):
		msg.Reason = ReasonMachine
	case msg.From == nil:
		msg.Reason = ReasonNoSender
	case !dated:
		msg.Reason = ReasonNoDate
	case len(msg.To) > maxRecipients:
		msg.Reason = ReasonCrowd
	}
	return msg
}

// isDraft reports whether a message is a draft, spam or deleted.
func (m *Reader) isDraft(h map[string]string) bool {
	labels := strings.ToLower(m.decodeWords(h["x-gmail-labels"]))
	return hasLabel(labels, "spam", "trash", "draft", "drafts", "chat") || strings.EqualFold(h["x-spam-flag"], "yes") ||
		h["x-mozilla-draft-info"] != "" || isExpunged(h["x-mozilla-status"])
}

// isExpunged decodes the hexadecimal flags that Thunderbird stores with a message. Deleted
// messages stay in the file until it is compacted.
func isExpunged(status string) bool {
	const expunged = 0x8
	flags, err := strconv.ParseUint(status, 16, 32)
	return err == nil && flags&expunged != 0
}

// LeftOut returns the reason why a message is not a contact, judging by the flags in its
// Maildir file name (draft, trashed); "" if it may be one.
func LeftOut(name string) string {
	if i := strings.LastIndex(name, "2,"); i > 0 && strings.ContainsRune(":;!", rune(name[i-1])) &&
		strings.ContainsAny(name[i:], "DT") {
		return ReasonDraft
	}
	return ""
}

// decodeWords resolves encoded words.
func (m *Reader) decodeWords(s string) string {
	if text, err := m.words.DecodeHeader(s); err == nil {
		return text
	}
	return s
}

func hasLabel(labels string, names ...string) bool {
	for label := range strings.SplitSeq(labels, ",") {
		if slices.Contains(names, strings.TrimSpace(label)) {
			return true
		}
	}
	return false
}

func isBulk(precedence string) bool {
	return slices.Contains([]string{"bulk", "list", "junk", "auto_reply"}, strings.ToLower(precedence))
}

// machineHeaders lists headers that only automatic answers, ticket systems and services for mass mail write.
func machineHeaders() []string {
	return []string{
		"x-autoreply", "x-autorespond", "x-auto-reply", "x-github-reason", "x-gitlab-project", "x-jira-fingerprint",
		"x-otrs-ticket", "x-rt-ticket", "x-zendesk-message-id", "x-campaign-id", "x-mailgun-tag", "x-mc-user",
	}
}

func isMachine(h map[string]string) bool {
	auto := strings.ToLower(h["auto-submitted"])
	isReport := strings.HasPrefix(strings.ToLower(h["content-type"]), "multipart/report") // bounces, read receipts
	return auto != "" && auto != "no" || isReport || h["return-path"] == "<>" ||
		slices.ContainsFunc(machineHeaders(), func(name string) bool { return h[name] != "" })
}

// addresses parses a list of addresses. If the header is malformed, it extracts those it recognises.
func (m *Reader) addresses(header string) []*mail.Address {
	if header == "" {
		return nil
	}
	parser := mail.AddressParser{WordDecoder: m.words}
	if list, err := parser.ParseList(header); err == nil {
		for _, a := range list {
			a.Name = m.decodeWords(a.Name) // some programs put encoded words in quotation marks
		}
		return list
	}
	var all []*mail.Address
	for part := range strings.SplitSeq(header, ",") {
		if one, err := parser.Parse(strings.TrimSpace(part)); err == nil {
			all = append(all, one)
			continue
		}
		for _, email := range tidy.Emails(part) {
			name, _, _ := strings.Cut(part, "<")
			name = strings.Trim(strings.TrimSpace(m.decodeWords(name)), `"'`)
			all = append(all, &mail.Address{Name: name, Address: email})
		}
	}
	return all
}

// date parses the date of a message. It rejects implausible years.
func date(s string) (time.Time, bool) {
	t, err := mail.ParseDate(s)
	if err != nil {
		t, _ = tidy.Time(s, tidy.DayFirst) // the zero time is implausible, too
	}
	if y := t.Year(); y < 1980 || y > 2100 {
		return time.Time{}, false
	}
	return t.UTC(), true
}
