// Package netguard keeps connections to addresses chosen by others away from this machine and
// its network.
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

// ErrPrivate is the error of a connection to an address that is not a public
// one, and that nobody allowed.
var ErrPrivate = errors.New("the address is not a public one")

// Guard says which addresses may be connected to: the public ones, and those
// of the networks that the operator allows. The zero value allows none.
type Guard struct{ Allow []netip.Prefix }

// Allows reports whether an address may be connected to.
func (g Guard) Allows(ip netip.Addr) bool {
	ip = ip.Unmap()
	return isPublic(ip) || slices.ContainsFunc(g.Allow, func(p netip.Prefix) bool { return p.Contains(ip.WithZone("")) })
}

// Dialer returns a dialer whose connections are checked. The address is looked
// at when the connection is made, so a name that resolves to another one by
// then gains nothing. Its error for others is [ErrPrivate].
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

// Client returns an HTTP client over the dialer. It asks no proxy, which would
// not be checked, follows no redirects, and gives up after the timeout.
func (g Guard) Client(timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{
			DialContext: g.Dialer(timeout).DialContext, TLSHandshakeTimeout: timeout, ResponseHeaderTimeout: timeout,
			IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 2, MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// isPublic reports whether an address is one that anyone may be. Beside what
// net/netip calls private these are no such: shared address space (RFC 6598),
// protocol assignments (RFC 6890), benchmarking (RFC 2544), documentation,
// reserved, and the prefixes that IPv4 addresses hide in (6to4, Teredo). Of IPv6 only
// 2000::/3 is given out to anyone (RFC 4291): NAT64 and other translations are outside.
func isPublic(ip netip.Addr) bool {
	if !ip.IsValid() || !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.Zone() != "" {
		return false
	}
	if ip.Is6() && !netip.MustParsePrefix("2000::/3").Contains(ip) {
		return false
	}
	for _, p := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	} {
		if netip.MustParsePrefix(p).Contains(ip) {
			return false
		}
	}
	return true
}
