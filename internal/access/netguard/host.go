package netguard

import (
	"context"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// AllowsHost reports whether a host is allowed, judging by its text alone: the dialer
// checks what a name resolves to. It recognises names of this machine and every spelling
// of an address: 127.1, 0x7f000001, 017700000001, full-width digits, a trailing dot.
func (g Guard) AllowsHost(host string) bool {
	host = strings.ToLower(norm.NFKC.String(strings.NewReplacer("\u3002", ".", "\uff0e", ".", "\uff61",
		".").Replace(host)))
	host = strings.TrimSuffix(strings.Trim(host, "[]"), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return g.Allows(netip.AddrFrom4([4]byte{127, 0, 0, 1}))
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return g.Allows(ip)
	}
	ip, isAddress := lenientIPv4(host)
	return !isAddress || g.Allows(ip)
}

// lookupTime limits [Guard.Resolves].
const lookupTime = 3 * time.Second

// Resolves is [Guard.AllowsHost] with a lookup of the name. It allows a name if the lookup
// fails; the dialer decides later.
func (g Guard) Resolves(ctx context.Context, host string) bool {
	if !g.AllowsHost(host) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	for _, ip := range found {
		if g.Allows(ip) {
			return true
		}
	}
	return err != nil || len(found) == 0
}

// lenientIPv4 parses an IPv4 address like inet_aton: one to four numbers, decimal, octal
// or hexadecimal, of which the last fills the remaining bytes.
func lenientIPv4(host string) (netip.Addr, bool) {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var ip uint64
	for i, part := range parts {
		n, err := strconv.ParseUint(octal(part), 0, 32)
		if err != nil || strings.Contains(part, "_") {
			return netip.Addr{}, false
		}
		if i < len(parts)-1 {
			if n > 255 {
				return netip.Addr{}, false
			}
			ip = ip<<8 | n
			continue
		}
		bits := 8 * (4 - i)
		if n >= 1<<bits {
			return netip.Addr{}, false
		}
		ip = ip<<bits | n
	}
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}), true
}

// octal converts C's octal notation to Go's.
func octal(part string) string {
	if len(part) > 1 && part[0] == '0' && part[1] != 'x' {
		return "0o" + part[1:]
	}
	return part
}
