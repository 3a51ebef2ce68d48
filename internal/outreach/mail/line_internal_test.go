package mail

import (
	"bufio"
	"context"
	"io"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gomail "github.com/wneessen/go-mail"

	"kith/internal/outreach"
	"kith/internal/test/expect"
)

// A message has one time limit, however many commands of it a server answers slowly. What the server accepted within
// that time is sent.
func TestSlowServersHaveOneTimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer far.Close()
		var server sync.WaitGroup
		defer server.Wait()
		server.Go(func() {
			answerSlowly(far, map[string]time.Duration{
				"NOOP": 8 * time.Second, ".": 18 * time.Second, "RSET": 26 * time.Second,
			})
		})
		over := &line{conn: &bounded{Conn: near, left: maxReplies}}
		defer over.cut()
		client, err := gomail.NewClient("smtp.example.com", gomail.WithTimeout(timeout), gomail.WithHELO("localhost"),
			gomail.WithTLSPolicy(gomail.NoTLS), gomail.WithDialContextFunc(
				func(context.Context, string, string) (net.Conn, error) { return over.conn, nil }))
		expect.NoError(t, err)
		expect.NoError(t, client.DialWithContext(t.Context()))
		began := time.Now()
		err = (&connection{client, over}).Send(outreach.Message{
			From: "me@acme.example", To: "you@example.com", Subject: "Hi", Text: "Hi", Date: began,
			MessageID: "first@acme.example",
		})
		if took := time.Since(began); err != nil || took > timeout {
			t.Errorf("the message took %s, %v", took, err)
		}
	})
}

// answerSlowly accepts everything over a connection, each command after its delay.
func answerSlowly(conn net.Conn, delays map[string]time.Duration) {
	_, _ = io.WriteString(conn, "220 hello\r\n")
	text := false
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		command := lines.Text()
		if text && command != "." {
			continue
		}
		time.Sleep(delays[command])
		answer := "250 ok\r\n"
		if text = command == "DATA"; text {
			answer = "354 go on\r\n"
		}
		_, _ = io.WriteString(conn, answer)
	}
}
