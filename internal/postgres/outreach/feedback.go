package outreach

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/outreach"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
)

var _ outreach.FeedbackStore = (*Delivery)(nil)

// FeedbackSecret implements [outreach.FeedbackStore].
func (o *Delivery) FeedbackSecret(ctx context.Context, user, integration int64) ([]byte, error) {
	var sealed string
	err := o.pool.QueryRow(ctx, "select feedback_secret from integrations where user_id = $1 and id = $2 and not "+
		"deleted", user, integration).Scan(&sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		err = kith.Errorf(kith.NotFound, "INTEGRATION_NOT_FOUND", "the integration is gone")
	}
	if err != nil {
		return nil, conn.Named("feedback", err)
	}
	secret, err := o.vault.Open(access.PurposeFeedback, access.BindUser(user), sealed)
	if err != nil {
		// The text only: the error itself is a caller's mistake.
		return nil, fmt.Errorf("the feedback secret of integration %d was sealed with another key: %s", integration,
			err.Error())
	}
	return secret, nil
}

// ApplyFeedback implements [outreach.FeedbackStore].
func (o *Delivery) ApplyFeedback(ctx context.Context, user, integration int64, f outreach.Feedback,
	apply func(*outreach.Case, int64) bool,
) (outreach.FeedbackResult, error) {
	return o.applyTo(ctx, f, apply, "user_id = $1 and message_id = $3 and integration_id = $2 and status in "+
		"('sending', "+"'sent', 'failed')",
		user, integration, strings.Trim(f.MessageID, "<> "))
}

// RecordFeedback implements [outreach.FeedbackStore]. It ignores e-mails still being sent: only a server on the way can
// have opened them.
func (o *Delivery) RecordFeedback(ctx context.Context, user, email int64, f outreach.FeedbackType,
	apply func(*outreach.Case, int64) bool,
) (outreach.FeedbackResult, error) {
	return o.applyTo(ctx, outreach.Feedback{Type: f}, apply, `user_id = $1 and id = $2 and status in ('sent', 'failed')
		and case $3 when 'opened' then opened_at when 'clicked' then clicked_at end is null`, user, email, string(f))
}

// applyTo finds an e-mail and stores what apply does with its case. args begin with the user.
func (o *Delivery) applyTo(ctx context.Context, f outreach.Feedback, apply func(*outreach.Case, int64) bool,
	which string, args ...any,
) (outreach.FeedbackResult, error) {
	result := outreach.FeedbackUnknown
	err := o.db.InTx(ctx, "feedback", func(tx pgx.Tx) error {
		if f.Suppresses() {
			if err := o.db.BlockDeletions(ctx, tx); err != nil { // see suppress
				return err
			}
		}
		var at caseKey
		var email int64
		var address string
		err := tx.QueryRow(ctx, "select user_id, sequence_id, lead_id, id, to_address from emails where "+which,
			args...).Scan(&at.user, &at.sequence, &at.lead, &email, &address)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		var changed, suppressed bool
		err = o.changeCase(ctx, tx, at, func(c *outreach.Case) error {
			changed = apply(c, email)
			return nil
		})
		if err == nil && f.Suppresses() { // even if the lead is closed
			suppressed, err = suppress(ctx, tx, at.user, address, outreach.SuppressionReason(f.Type))
		}
		if result = outreach.FeedbackUnchanged; changed || suppressed {
			result = outreach.FeedbackApplied
		}
		return err
	})
	return result, err
}
