package importer

import (
	"cmp"
	"context"
	"io"
	"path"

	"kith/internal/imports/importer/mailbox"
	"kith/internal/imports/importer/tidy"
)

// mail counts the messages of a file.
func (r *reading) mail(ctx context.Context, in io.Reader) error {
	leftOut := mailbox.LeftOut(path.Base(r.file))
	return each(ctx, mailbox.NewReader(in).Next, func(m mailbox.Message) error {
		r.report.Records++
		m.Reason = cmp.Or(m.Reason, leftOut)
		return r.message(ctx, m)
	})
}

func (r *reading) message(ctx context.Context, m mailbox.Message) error {
	switch {
	case m.Reason != "":
		return r.reject(ctx, m.Line, m.Reason)
	case m.Date.After(r.opts.Now):
		return r.reject(ctx, m.Line, ReasonFuture)
	case r.contacts.isRepeat(m.ID):
		return r.reject(ctx, m.Line, ReasonAgain)
	}
	var from Party
	from.Name, from.Email = tidy.Mailbox(m.From)
	var to []Party
	for _, a := range m.To {
		if tidy.IsMachine(a.Address) {
			continue
		}
		var p Party
		if p.Name, p.Email = tidy.Mailbox(a); p.Email != "" {
			to = append(to, p)
		}
	}
	if from.Email == "" || !r.contacts.add(kindMail, m.Date, from, to) {
		return r.reject(ctx, m.Line, ReasonNoParties)
	}
	r.report.Taken++
	return nil
}
