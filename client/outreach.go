package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"time"

	"kith"
)

// Sequence is a series of e-mails to a set of people. The rates are percentages of the e-mails sent.
type Sequence struct {
	ID             string          `json:"id"`
	Name           string          `json:"name"`
	Description    string          `json:"description"`
	Status         string          `json:"status"`
	AIInstructions string          `json:"ai_instructions"`
	Templates      []EmailTemplate `json:"ai_email_templates"`
	TotalLeads     int             `json:"total_leads"`
	ActiveLeads    int             `json:"active_leads"`
	OpenRate       int             `json:"open_rate"`
	ReplyRate      int             `json:"reply_rate"`
	ClickRate      int             `json:"click_rate"`
	ForwardRate    int             `json:"forward_rate"`
}

// EmailTemplate is a template of a sequence.
type EmailTemplate struct {
	ID        int64  `json:"id,omitempty"`
	Name      string `json:"name"`
	UseCase   string `json:"use_case"`
	UsedFor   string `json:"used_for"`
	Subject   string `json:"subject"`
	EmailBody string `json:"email_body"`
}

// Lead is a person in a sequence.
type Lead struct {
	ID               string         `json:"id"`
	SequenceID       string         `json:"sequence_id"`
	PersonID         int64          `json:"platform_person_id"`
	Status           string         `json:"status"`
	NextFollowupAt   *time.Time     `json:"next_followup_at"`
	Introducers      []Introducer   `json:"selected_introducers"`
	PipelineStage    int            `json:"pipeline_stage"`
	CreatedAt        time.Time      `json:"created_at"`
	Person           SequencePerson `json:"person"`
	LatestUpdate     string         `json:"latest_update"`
	LatestUpdateDate *time.Time     `json:"latest_update_date"`
}

// SequencePerson is the summary of a person in outreach.
type SequencePerson struct {
	ID               int64             `json:"id"`
	FirstName        string            `json:"first_name"`
	LastName         string            `json:"last_name"`
	FullName         string            `json:"full_name"`
	SocialURL        string            `json:"social_url"`
	SocialIdentifier string            `json:"social_identifier"`
	Headline         string            `json:"headline"`
	Location         kith.Location     `json:"location"`
	Position         *SequencePosition `json:"position"`
	ImageURL         string            `json:"image_url"`
	Email            string            `json:"email"`
}

// SequencePosition is the present job of a person in outreach.
type SequencePosition struct {
	Title   string `json:"title"`
	Company struct {
		ID        string `json:"id"`
		Name      string `json:"name"`
		SocialURL string `json:"social_url"`
		Domain    string `json:"domain"`
	} `json:"company"`
	StartDate      *string `json:"start_date"`
	EndDate        *string `json:"end_date"`
	StartPrecision string  `json:"start_date_precision,omitempty"`
	EndPrecision   string  `json:"end_date_precision,omitempty"`
}

// Email is an e-mail of a sequence.
type Email struct {
	ID          string         `json:"id"`
	SequenceID  string         `json:"sequence_id"`
	LeadID      string         `json:"sequence_lead_id"`
	Subject     string         `json:"subject"`
	From        string         `json:"from"`
	Status      string         `json:"status"`
	ScheduledAt *time.Time     `json:"scheduled_at"`
	SentAt      *time.Time     `json:"sent_at"`
	CreatedAt   time.Time      `json:"created_at"`
	Person      SequencePerson `json:"person"`
	Content     *EmailContent  `json:"content"`
}

// EmailContent is the content of an e-mail.
type EmailContent struct {
	Body     string `json:"body"`
	HTMLBody string `json:"html_body"`
	TextBody string `json:"text_body"`
}

// Activity is an e-mail with the decision on it: pending, approved or rejected.
type Activity struct {
	ID          string       `json:"id"`
	Type        string       `json:"activity_type"`
	Decision    string       `json:"decision"`
	ConfirmedAt *time.Time   `json:"decision_confirmed_at"`
	Confidence  *float64     `json:"ai_confidence_score"`
	Introducers []Introducer `json:"introducer_data"`
	Note        string       `json:"note"`
	AIPrompt    string       `json:"ai_prompt"`
	CreatedAt   time.Time    `json:"created_at"`
	Sequence    struct {
		ID     string `json:"id"`
		Name   string `json:"name"`
		Status string `json:"status"`
	} `json:"sequence"`
	Lead struct {
		ID       string `json:"id"`
		PersonID int64  `json:"platform_person_id"`
		Status   string `json:"status"`
	} `json:"sequence_lead"`
	Person SequencePerson `json:"person"`
	Email  *OutgoingEmail `json:"email_outgoing"`
}

// OutgoingEmail is the e-mail of an [Activity].
type OutgoingEmail struct {
	ID          string        `json:"id"`
	Subject     string        `json:"subject"`
	Status      string        `json:"status"`
	ScheduledAt *time.Time    `json:"scheduled_at"`
	SentAt      *time.Time    `json:"sent_at"`
	FromEmail   string        `json:"from_email"`
	ToEmail     string        `json:"to_email"`
	ThreadID    string        `json:"thread_id"`
	Content     *EmailContent `json:"content"`
}

func sequencePath(id string) string { return "/v2/sequences/" + url.PathEscape(id) }

func leadPath(sequence, lead string) string {
	return sequencePath(sequence) + "/leads/" + url.PathEscape(lead)
}

// withStatus returns a query for a status; none for all.
func withStatus(name, status string) url.Values {
	if status == "" {
		return nil
	}
	return url.Values{name: {status}}
}

// Sequences yields the sequences of the user.
func (c *Client) Sequences(ctx context.Context) iter.Seq2[Sequence, error] {
	return entries[Sequence](ctx, c, "/v2/sequences", nil)
}

// CreateSequence creates a sequence as a draft.
func (c *Client) CreateSequence(ctx context.Context, name, description string) (Sequence, error) {
	body := map[string]string{"name": name, "description": description}
	return call[Sequence](ctx, c, http.MethodPost, "/v2/sequences", body)
}

// Sequence returns a sequence.
func (c *Client) Sequence(ctx context.Context, id string) (Sequence, error) {
	return call[Sequence](ctx, c, http.MethodGet, sequencePath(id), nil)
}

// Leads yields the leads of a sequence, optionally of one status.
func (c *Client) Leads(ctx context.Context, sequence, status string) iter.Seq2[Lead, error] {
	return entries[Lead](ctx, c, sequencePath(sequence)+"/leads", withStatus("status", status))
}

// Emails yields the e-mails of a sequence, optionally of one status.
func (c *Client) Emails(ctx context.Context, sequence, status string) iter.Seq2[Email, error] {
	return entries[Email](ctx, c, sequencePath(sequence)+"/emails", withStatus("status", status))
}

// Activities yields the activities of the user, optionally of one decision: pending, approved, rejected.
func (c *Client) Activities(ctx context.Context, decision string) iter.Seq2[Activity, error] {
	return entries[Activity](ctx, c, "/v2/sequences/activities", withStatus("decision", decision))
}

// AddedLeads is the result of adding leads: an entry for each person, in order.
type AddedLeads struct {
	Summary struct {
		Processed int `json:"processed"`
		Created   int `json:"created"`
		Unchanged int `json:"unchanged"`
		Refused   int `json:"refused"`
	} `json:"summary"`
	Results []AddedLead `json:"results"`
}

// AddedLead is the result of adding one person.
type AddedLead struct {
	Identifier string      `json:"identifier"`
	Status     string      `json:"status"`
	LeadID     string      `json:"lead_id,omitempty"`
	PersonID   int64       `json:"platform_person_id,omitempty"`
	Error      *EntryError `json:"error,omitempty"`
}

// AddLeads adds people to a sequence, by id, e-mail address, profile URL or social identifier.
func (c *Client) AddLeads(ctx context.Context, sequence string, people []string) (AddedLeads, error) {
	body := map[string]any{"people": people}
	return call[AddedLeads](ctx, c, http.MethodPost, sequencePath(sequence)+"/leads", body)
}

// SelectIntroducers sets the introducers of a lead.
func (c *Client) SelectIntroducers(ctx context.Context, sequence, lead string, all []Introducer) (Lead, error) {
	body := map[string]any{"selected_introducers": all}
	return call[Lead](ctx, c, http.MethodPut, leadPath(sequence, lead), body)
}

// EmailDraft is an e-mail to draft, from a template or from subject and body. An empty ToEmail means the lead's
// address.
type EmailDraft struct {
	TemplateID    int64      `json:"template_id,omitempty"`
	Subject       string     `json:"subject,omitempty"`
	Body          string     `json:"body,omitempty"`
	Variables     []Variable `json:"variables,omitempty"`
	ScheduledAt   *time.Time `json:"scheduled_at,omitempty"`
	FromEmail     string     `json:"from_email,omitempty"`
	ToEmail       string     `json:"to_email,omitempty"`
	IntegrationID int64      `json:"user_integration_id,omitempty"`
	ReplyInThread bool       `json:"reply_in_thread,omitempty"`
	Note          string     `json:"note,omitempty"`
	AIPrompt      string     `json:"ai_prompt,omitempty"`
	Confidence    *float64   `json:"ai_confidence_score,omitempty"`
}

// Variable is a value for a placeholder of an e-mail.
type Variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Drafted is an e-mail with the activity to decide on.
type Drafted struct {
	Email    Email    `json:"email"`
	Activity Activity `json:"activity"`
}

// DraftEmail drafts an e-mail to a lead. Nothing is sent without approval.
func (c *Client) DraftEmail(ctx context.Context, sequence, lead string, draft EmailDraft) (Drafted, error) {
	return call[Drafted](ctx, c, http.MethodPost, leadPath(sequence, lead)+"/emails", draft)
}
