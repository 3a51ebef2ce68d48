package mail_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"kith/internal/outreach"
	"kith/internal/outreach/mail"
	"kith/internal/test/expect"
)

// talk serves one connection: answer writes the reply to each line of the client. It returns the address and a
// channel that closes when the connection has ended.
func talk(t *testing.T, answer func(line string, w io.Writer)) (outreach.Integration, <-chan struct{}) {
	t.Helper()
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	expect.NoError(t, err)
	t.Cleanup(func() { _ = ln.Close() })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		conn, err := ln.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "220 hello\r\n")
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			answer(lines.Text(), conn)
		}
	}()
	port := ln.Addr().(*net.TCPAddr).Port
	return outreach.Integration{Host: "127.0.0.1", Port: port, Security: outreach.SecurityNone}, ended
}

func gone(t *testing.T, ended <-chan struct{}) {
	t.Helper()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the connection is still open")
	}
}

// The client cuts answers of unlimited length.
func TestEndlessServerAnswersAreCut(t *testing.T) {
	integration, ended := talk(t, func(_ string, w io.Writer) {
		for range 64 {
			if _, err := io.WriteString(w, "250-"+strings.Repeat("x", 1<<20)); err != nil {
				return
			}
		}
		_, _ = io.WriteString(w, "\r\n250 ok\r\n")
	})
	if c, err := (mail.Sender{Guard: loopback()}).Connect(t.Context(), integration); err == nil {
		_ = c.Close()
		t.Error("an answer of 64 MiB was accepted")
	}
	gone(t, ended)
}

// The client closes its connections even if the server does not.
func TestConnectionsAreClosed(t *testing.T) {
	for name, refuses := range map[string]string{"at the start": "LO ", "at the end": "QUIT"} {
		integration, ended := talk(t, func(line string, w io.Writer) {
			if strings.Contains(line, refuses) {
				_, _ = io.WriteString(w, "451 not now\r\n")
				return
			}
			_, _ = io.WriteString(w, "250 ok\r\n")
		})
		c, err := mail.Sender{Guard: loopback()}.Connect(t.Context(), integration)
		if (err == nil) != (refuses == "QUIT") {
			t.Fatalf("%s: %v", name, err)
		}
		if err == nil {
			_ = c.Close()
		}
		gone(t, ended)
	}
}

// If a server refuses the sender, or ends the session, the error concerns the whole integration. A refused recipient
// does not.
func TestRefusalsNameTheSenderOrTheRecipient(t *testing.T) {
	for name, tt := range map[string]struct {
		command, answer   string
		sender, temporary bool
	}{
		"sender, for now":      {"MAIL", "451 too many messages", true, true},
		"sender, for good":     {"MAIL", "553 not your address", true, false},
		"session ends at RCPT": {"RCPT", "421 closing", true, true},
		"recipient, for now":   {"RCPT", "450 greylisted", false, true},
		"recipient, for good":  {"RCPT", "550 no such mailbox", false, false},
		"DATA, for good":       {"DATA", "554 no", false, false},
		"DATA, for now":        {"DATA", "452 disk full", false, true},
		"text, for now":        {".", "451 try again", false, true},
		"text, for good":       {".", "554 spam", false, false},
		"hang-up at MAIL":      {"MAIL", "", true, true},
		"hang-up at RCPT":      {"RCPT", "", false, true},
	} {
		text := false
		integration, _ := talk(t, func(line string, w io.Writer) {
			answer := "250 ok"
			switch {
			case text && line != ".":
				return
			case strings.HasPrefix(line, tt.command):
				answer, text = tt.answer, false
			case line == "DATA":
				answer, text = "354 go on", true
			}
			if answer == "" {
				_ = w.(net.Conn).Close()
			}
			_, _ = io.WriteString(w, answer+"\r\n")
		})
		m := message()
		m.ToName, m.FromName, m.Subject, m.Text, m.HTML = "", "", "Hi", "Hi", ""
		err := connect(t, integration).Send(m)
		refused, ok := errors.AsType[*outreach.Refused](err)
		if !ok || refused.Sender != tt.sender || refused.Temporary != tt.temporary {
			t.Errorf("%s: %#v", name, err)
		}
	}
}
