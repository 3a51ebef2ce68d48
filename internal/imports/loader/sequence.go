package loader

import (
	"context"
	"errors"
	"time"

	"kith"
	"kith/internal/record"
)

// Sequence is one line of a file of sequences: a user's sequence with its leads and e-mails. Texts and lists that the
// line lacks are nil: a stored sequence keeps its own, while "" and [] empty it. The store validates the values.
type Sequence struct {
	App            string             `json:"app"`
	ExternalUserID string             `json:"external_user_id"`
	Name           string             `json:"name"`
	Description    *string            `json:"description,omitempty"`
	Status         string             `json:"status"`
	Instructions   *string            `json:"ai_instructions,omitempty"`
	Templates      []SequenceTemplate `json:"ai_email_templates"`
	Leads          []SequenceLead     `json:"leads"`
}

// SequenceTemplate is a template for e-mails.
type SequenceTemplate struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	UseCase string `json:"use_case"`
	UsedFor string `json:"used_for"`
	Subject string `json:"subject"`
	Body    string `json:"email_body"`
}

// SequenceLead is a person in a sequence, identified by profile URL or another identifier, as in a [Relation].
type SequenceLead struct {
	SocialURL    string               `json:"social_url"`
	Status       string               `json:"status"`
	Stage        int                  `json:"pipeline_stage"`
	NextFollowup *time.Time           `json:"next_followup_at"`
	Introducers  []SequenceIntroducer `json:"selected_introducers"`
	Emails       []SequenceEmail      `json:"emails"`
}

// SequenceIntroducer is someone who can introduce the user to a lead.
type SequenceIntroducer struct {
	SocialIdentifier string `json:"social_identifier"`
	Name             string `json:"name"`
	Rank             int    `json:"rank"`
	IsDirect         bool   `json:"is_direct"`
}

// SequenceEmail is an e-mail to a lead.
type SequenceEmail struct {
	Subject     string            `json:"subject"`
	From        string            `json:"from"`
	To          string            `json:"to"`
	Status      string            `json:"status"`
	ScheduledAt *time.Time        `json:"scheduled_at"`
	SentAt      *time.Time        `json:"sent_at"`
	Content     *SequenceContent  `json:"content"`
	Activity    *SequenceActivity `json:"activity"`
}

// SequenceContent is the text of an e-mail.
type SequenceContent struct {
	Body     string `json:"body"`
	HTMLBody string `json:"html_body"`
	TextBody string `json:"text_body"`
}

// SequenceActivity is the decision about an e-mail.
type SequenceActivity struct {
	Type       string   `json:"activity_type"`
	Decision   string   `json:"decision"`
	Confidence *float64 `json:"ai_confidence_score"`
	Note       string   `json:"note"`
	Prompt     string   `json:"ai_prompt"`
}

// SequenceStore stores sequences.
type SequenceStore interface {
	// PutSequence stores one sequence, all or nothing. It creates unknown users of an app. The same app, user and
	// name update the stored sequence.
	PutSequence(ctx context.Context, s Sequence) (Related, error)
}

// maxSequenceLine is the longest line of a file of sequences or an export, in bytes: enough for 200,000 leads.
const maxSequenceLine = 64 << 20

// maxLine is the longest line in a file of a kind, in bytes.
func maxLine(kind record.Kind) int {
	if kind == record.Sequences || kind == record.Exports {
		return maxSequenceLine
	}
	return MaxLine
}

func decodeSequence(text []byte) (*Sequence, error) {
	s, err := decode[Sequence](text, true)
	if err == nil {
		err = checkUser(s.App, s.ExternalUserID)
	}
	if err == nil && s.Name == "" {
		err = problem("name", "is required")
	}
	return s, err
}

// putSequences stores sequences one by one: they are large, and a repeated load finds stored ones unchanged.
func (r *run) putSequences(ctx context.Context, items []item) (res result, err error) {
	for _, it := range items {
		if it.reason != "" {
			res.rejected = append(res.rejected, it)
			continue
		}
		stored, err := r.Sequences.PutSequence(ctx, *it.sequence)
		if _, known := errors.AsType[*kith.Error](err); known && kith.KindOf(err) == kith.Invalid {
			stored, err = Related{Reason: err.Error()}, nil
		}
		if err != nil {
			return result{}, err
		}
		res.add(stored, it)
	}
	return res, nil
}
