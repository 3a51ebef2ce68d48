// Package mail implements SMTP delivery: it connects to the mail server of an integration and
// sends messages. It never retries.
package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"kith"
	"kith/internal/access/netguard"
	"kith/internal/outreach"
)

// timeout limits connecting, and then each message. It is shorter than the lease of a [outreach.Worker].
const timeout = 30 * time.Second

// Sender connects to mail servers. It is safe for concurrent use.
type Sender struct {
	// Guard restricts which addresses Sender may connect to.
	Guard netguard.Guard
	// TLS is for servers with private certificates; nil uses the system's trusted roots.
	TLS *tls.Config
}

// Connect connects to the server of an integration and signs in. It sends no message: after an error nothing was sent.
func (s Sender) Connect(ctx context.Context, in outreach.Integration) (outreach.Connection, error) {
	config := s.config(in)
	opts := []gomail.Option{
		gomail.WithPort(in.Port), gomail.WithTimeout(timeout), gomail.WithHELO("localhost"),
		gomail.WithTLSConfig(config),
	}
	switch in.Security {
	case outreach.SecurityTLS:
		opts = append(opts, gomail.WithSSL())
	case outreach.SecuritySTARTTLS:
		opts = append(opts, gomail.WithTLSPolicy(gomail.TLSMandatory))
	case outreach.SecurityNone:
		opts = append(opts, gomail.WithTLSPolicy(gomail.NoTLS))
	}
	if in.Username != "" {
		// By default the library treats a connection that it did not dial as unencrypted, and
		// picks an authentication method accordingly.
		opts = append(opts, gomail.WithUsername(in.Username), gomail.WithPassword(in.Password),
			gomail.WithOpportunisticSMTPAuth(
				gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthSCRAMSHA1, gomail.SMTPAuthCramMD5, gomail.SMTPAuthPlain,
				gomail.SMTPAuthLogin))
	}
	line := &line{dialer: s.Guard.Dialer(timeout)}
	if in.Security == outreach.SecurityTLS {
		line.secure = config
	}
	client, err := gomail.NewClient(in.Host, append(opts, gomail.WithDialContextFunc(line.dial))...)
	if err != nil {
		return nil, fmt.Errorf("mail server: %w", err)
	}
	err = client.DialWithContext(ctx)
	if err != nil {
		line.cut()
	}
	if errors.Is(err, netguard.ErrPrivate) {
		return nil, fmt.Errorf("mail server: %w: %w",
			&outreach.Refused{Reason: "the mail server of the integration has no public address; have the operator " +
				"allow its network (--allow-network)"}, err)
	}
	if err != nil {
		return nil, fmt.Errorf("mail server: %w", err)
	}
	return &connection{client, line}, nil
}

// config returns the TLS configuration for the integration's server.
func (s Sender) config(in outreach.Integration) *tls.Config {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if s.TLS != nil {
		config = s.TLS.Clone()
	}
	config.ServerName = in.Host
	return config
}

type connection struct {
	client *gomail.Client
	line   *line
}

// Ready checks that the server still answers.
func (c *connection) Ready() error {
	c.line.conn.until = time.Time{}
	return c.client.Reset()
}

// Close closes the connection, even if the server does not end the session properly.
func (c *connection) Close() error {
	defer c.line.cut()
	return c.client.Close()
}

// Send sends a message. It returns nil once the server has accepted it, an [outreach.Refused] if the message was
// certainly not accepted, and any other error if the outcome is unknown.
func (c *connection) Send(m outreach.Message) error {
	msg, err := compose(m)
	if err != nil {
		return &outreach.Refused{Reason: err.Error()}
	}
	c.line.conn.until = time.Now().Add(timeout)
	err = c.client.Send(msg)
	if err == nil || msg.IsDelivered() {
		return nil
	}
	failed, ok := errors.AsType[*gomail.SendError](err)
	if !ok {
		return err
	}
	// After the text has been sent, only an answer from the server settles the outcome.
	if (failed.Reason == gomail.ErrSMTPDataClose || failed.Reason == gomail.ErrWriteContent) &&
		failed.ErrorCode() < 400 {
		return err
	}
	return &outreach.Refused{Reason: serverMessage(failed), Temporary: temporary(failed), Sender: ofSender(failed)}
}

// temporary reports whether a refused message may be accepted later: the server says so,
// or the connection broke before the text was sent.
func temporary(err *gomail.SendError) bool {
	switch err.Reason {
	case gomail.ErrConnCheck, gomail.ErrSMTPMailFrom, gomail.ErrSMTPRcptTo, gomail.ErrSMTPData:
		return err.ErrorCode() < 500
	}
	return err.ErrorCode()/100 == 4
}

// closing is the reply code of a server that ends the session after any command: it is
// shutting down, or limits the integration.
const closing = 421

// ofSender reports whether the server refused the sender (before any recipient) or the whole session.
func ofSender(err *gomail.SendError) bool {
	return err.Reason == gomail.ErrSMTPMailFrom || err.Reason == gomail.ErrConnCheck || err.ErrorCode() == closing
}

// serverMessage returns the server's message without the library's additions.
func serverMessage(err *gomail.SendError) string {
	text, _, _ := strings.Cut(err.Error(), ", affected ")
	return text
}

// compose builds a message with the library, which encodes headers and bodies.
func compose(m outreach.Message) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	for _, address := range []string{m.From, m.To} {
		if !kith.ValidEmail(address) {
			return nil, fmt.Errorf("%q is not an e-mail address", address)
		}
	}
	// The library's own formatting of names and addresses breaks quotation marks.
	msg.FromMailAddress(&mail.Address{Name: m.FromName, Address: m.From})
	msg.ToMailAddress(&mail.Address{Name: m.ToName, Address: m.To})
	msg.Subject(m.Subject)
	msg.SetDateWithValue(m.Date)
	msg.SetMessageIDWithValue(m.MessageID)
	if n := len(m.References); n > 0 {
		msg.SetGenHeaderPreformatted(gomail.HeaderInReplyTo, "<"+m.References[n-1]+">")
		msg.SetGenHeaderPreformatted(gomail.HeaderReferences, "<"+strings.Join(m.References, ">\r\n <")+">")
	}
	if m.Unsubscribe != "" {
		if err := msg.SetListUnsubscribeOneClick(m.Unsubscribe); err != nil {
			return nil, fmt.Errorf("unsubscribe address: %w", err)
		}
	}
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	return msg, nil
}
