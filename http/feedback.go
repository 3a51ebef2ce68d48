package http

import (
	"fmt"
	"net/http"

	"kith"
	"kith/http/strict"
	"kith/internal/outreach"
	"kith/query/cursor"
)

const purposeFeedback = "feedback"

// integrationRef identifies an integration in a path.
type integrationRef struct {
	User        int64 `json:"u"`
	Integration int64 `json:"i"`
}

// feedbackPath is the path for feedback about an integration's e-mails.
func feedbackPath(seal *cursor.Sealer, user, integration int64) string {
	token, err := seal.SealValue(purposeFeedback, "", integrationRef{user, integration})
	if err != nil {
		panic(err) // two numbers can always be written
	}
	return "/v2/feedback/" + token
}

// receiveFeedback answers POST /v2/feedback/{token}. It checks the signature before it parses the body.
func (s links) receiveFeedback(w http.ResponseWriter, r *http.Request) error {
	var ref integrationRef
	d, err := s.openLink(r, purposeFeedback, &ref)
	if err != nil {
		return s.countRefusal(w, r, kith.Errorf(kith.NotFound, "INTEGRATION_NOT_FOUND", "no integration has this path"))
	}
	body, err := readBody(w, r, relationBody)
	if err != nil {
		return err
	}
	if err := d.Feedback.Verify(r.Context(), ref.User, ref.Integration, r.Header.Get(outreach.SignatureHeader),
		body); err != nil {
		return s.countRefusal(w, r, err)
	}
	events, err := parseAs(r, body, readFeedback)
	if err != nil {
		return err
	}
	results, err := d.Feedback.ApplyFeedback(r.Context(), ref.User, ref.Integration, events)
	if err != nil {
		return err
	}
	respond(w, r, map[string][]outreach.FeedbackResult{"results": results})
	return nil
}

func readFeedback(v strict.Value) (events []outreach.Feedback, problems []kith.FieldError) {
	list, _ := v.Get("events")
	for i, item := range list.Items {
		at, wrong := readMoment(item, "at")
		for k := range wrong {
			wrong[k].Field = fmt.Sprintf("events[%d].at", i)
		}
		problems = append(problems, wrong...)
		events = append(events, outreach.Feedback{
			Type: outreach.FeedbackType(item.String("type")), MessageID: item.String("message_id"), At: at,
			Auto: item.Bool("auto_reply"), Hard: item.Bool("hard"),
		})
	}
	return events, problems
}
