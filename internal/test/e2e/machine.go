package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"kith/internal/test/effort"
	"kith/internal/test/elastictest"
	"kith/internal/test/expect"
)

// Eventually waits until a condition holds, and fails the test if it does not.
func Eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	effort.Deadline(t)
	deadline := time.After(effort.Patience())
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("not within %v: %s", effort.Patience(), what)
		}
	}
}

// FreePort is a port of loopback that nobody listens on. Until the test ends it is
// given to nobody else: a socket is bound to it that never listens, which keeps out
// connections, and listeners that take any port, and lets in those that name it.
func FreePort(t *testing.T) int {
	t.Helper()
	syscall.ForkLock.RLock() // so that no program that is started meanwhile keeps it
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	expect.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Close(fd) })
	err = errors.Join(
		syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1),
		syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}),
	)
	expect.NoError(t, err)
	at, err := syscall.Getsockname(fd)
	expect.NoError(t, err)
	return at.(*syscall.SockaddrInet4).Port
}

// OwnIndices is an Elasticsearch prefix whose indices are dropped at the end of the test.
func OwnIndices(t *testing.T, url string) string {
	t.Helper()
	prefix := elastictest.Prefix(t)
	t.Cleanup(func() {
		names, err := Ask(http.MethodGet, url+"/_cat/indices/"+prefix+"*?h=index")
		if err != nil {
			t.Errorf("listing the indices of the test: %v", err)
		}
		for name := range strings.FieldsSeq(names) {
			if _, err := Ask(http.MethodDelete, url+"/"+name); err != nil {
				t.Errorf("dropping an index of the test: %v", err)
			}
		}
	})
	return prefix
}

// Ask sends a request without a body and wants the status 200.
func Ask(method, url string) (string, error) {
	req, err := http.NewRequestWithContext(context.Background(), method, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: status %d: %s", method, url, resp.StatusCode, body)
	}
	return string(body), err
}
