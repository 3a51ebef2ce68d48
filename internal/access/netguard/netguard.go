// Package netguard prevents connections to this machine and its private network when
// untrusted users choose the address.
package netguard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

// ErrPrivate is the error for a connection to an address that is neither public nor allowed by the operator.
var ErrPrivate = errors.New("the address is not public")

// Guard allows connections to public addresses and to the networks in Allow, which the
// operator configures. The zero value allows only public addresses.
type Guard struct{ Allow []netip.Prefix }

// Allows reports whether connections to an address are allowed.
func (g Guard) Allows(ip netip.Addr) bool {
	ip = ip.Unmap()
	return isPublic(ip) || slices.ContainsFunc(g.Allow,
		func(p netip.Prefix) bool { return p.Contains(ip.WithZone("")) })
}

// Dialer returns a dialer that checks the resolved address when it connects, so that a later change of DNS cannot
// bypass the check. Its error for other addresses is [ErrPrivate].
func (g Guard) Dialer(timeout time.Duration) *net.Dialer {
	return &net.Dialer{Timeout: timeout, ControlContext: g.control}
}

func (g Guard) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("guarded connection: %w", err)
	}
	if !g.Allows(at.Addr()) {
		return ErrPrivate
	}
	return nil
}

// Client returns an HTTP client that uses the dialer. It uses no proxy, because the guard
// could not check its connections. It follows no redirects and gives up after the timeout.
func (g Guard) Client(timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{
			DialContext: g.Dialer(timeout).DialContext, TLSHandshakeTimeout: timeout, ResponseHeaderTimeout: timeout,
			IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 2, MaxResponseHeaderBytes: 64 << 10,
			ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// isPublic reports whether an address is on the public Internet. In addition to net/netip's private addresses it
// excludes: shared address space (RFC 6598), protocol assignments (RFC 6890), benchmarking (RFC 2544), documentation,
// reserved, and prefixes that embed IPv4 addresses (6to4, Teredo). For IPv6 it accepts only 2000::/3, the global range
// (RFC 4291), which excludes NAT64 and other translations.
func isPublic(ip netip.Addr) bool {
	if !ip.IsValid() || !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.Zone() != "" {
		return false
	}
	if ip.Is6() && !netip.MustParsePrefix("2000::/3").Contains(ip) {
		return false
	}
	for _, p := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
		"198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	} {
		if netip.MustParsePrefix(p).Contains(ip) {
			return false
		}
	}
	return true
}
