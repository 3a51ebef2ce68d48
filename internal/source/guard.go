package source

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// errPrivate is a redirect to where only this machine or its network is.
var errPrivate = errors.New("the address is not a public one")

// directTransport talks to the provider that the operator named, wherever it
// is.
func directTransport(timeout time.Duration) *http.Transport {
	t := bareTransport(timeout)
	t.Proxy = http.ProxyFromEnvironment
	t.DialContext = (&net.Dialer{Timeout: timeout}).DialContext
	return t
}

// publicTransport talks to public addresses alone. The address is checked when
// the connection is made, so a name that resolves to another one by then gains
// nothing. No proxy is asked: it would not be checked.
func publicTransport(timeout time.Duration) *http.Transport {
	t := bareTransport(timeout)
	t.DialContext = (&net.Dialer{Timeout: timeout, ControlContext: onlyPublic}).DialContext
	return t
}

func bareTransport(timeout time.Duration) *http.Transport {
	return &http.Transport{
		TLSHandshakeTimeout: timeout, ResponseHeaderTimeout: timeout, IdleConnTimeout: time.Minute,
		MaxIdleConnsPerHost: 8, MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true,
	}
}

func onlyPublic(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("redirect: %w", err)
	}
	if !isPublic(at.Addr()) {
		return errPrivate
	}
	return nil
}

// isPublic reports whether an address is one that anyone may be. Beside what
// net/netip calls private these are no such: shared address space (RFC 6598),
// protocol assignments (RFC 6890), benchmarking (RFC 2544), documentation,
// reserved, and the prefixes that IPv4 addresses hide in (NAT64, 6to4, Teredo).
func isPublic(ip netip.Addr) bool {
	ip = ip.Unmap()
	if !ip.IsValid() || !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.Zone() != "" {
		return false
	}
	for _, p := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16",
		"5f00::/16", "fec0::/10",
	} {
		if netip.MustParsePrefix(p).Contains(ip) {
			return false
		}
	}
	return true
}
