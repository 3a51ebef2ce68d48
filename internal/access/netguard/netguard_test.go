package netguard_test

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"kith/internal/access/netguard"
	"kith/internal/test/expect"
)

func TestOnlyPublicAddressesAreAllowed(t *testing.T) {
	for _, public := range []string{"8.8.8.8", "1.1.1.1", "::ffff:8.8.8.8", "2606:4700::1111"} {
		if !(netguard.Guard{}).Allows(netip.MustParseAddr(public)) {
			t.Errorf("%s is refused", public)
		}
	}
	for _, private := range []string{
		"127.0.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1",
		"255.255.255.255",
		"::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1",
		"64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1",
		"::7f00:1", "::10.0.0.1", "3fff::1", "::ffff:0:7f00:1", "64:ff9b:1::a00:1", "100::1", "4000::1", "5f00::1",
		"fec0::1",
	} {
		if (netguard.Guard{}).Allows(netip.MustParseAddr(private)) {
			t.Errorf("%s is allowed", private)
		}
	}
}

func TestOperatorsCanAllowNetworks(t *testing.T) {
	g := netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}}
	for host, want := range map[string]bool{
		"10.1.2.3": true, "::ffff:10.1.2.3": true, "10.2.0.1": false, "127.0.0.1": false, "8.8.8.8": true,
		"smtp.example.com": true,
	} {
		if g.AllowsHost(host) != want {
			t.Errorf("%s: %t", host, !want)
		}
	}
}

// The guard checks the address that a name resolves to. Here localhost stands for a public name with a private address.
func TestResolvedAddressesAreChecked(t *testing.T) {
	srv := httptest.NewServer(http.RedirectHandler("http://127.0.0.1:1/", http.StatusFound))
	t.Cleanup(srv.Close)
	_, port, err := net.SplitHostPort(srv.Listener.Addr().String())
	expect.NoError(t, err)
	get := func(g netguard.Guard, host string) (int, error) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/",
			http.NoBody)
		expect.NoError(t, err)
		res, err := g.Client(time.Minute).Do(req)
		if err != nil {
			return 0, err
		}
		return res.StatusCode, res.Body.Close()
	}
	for _, host := range []string{"localhost", "127.0.0.1"} {
		if _, err := get(netguard.Guard{}, host); !errors.Is(err, netguard.ErrPrivate) {
			t.Errorf("%s: %v", host, err)
		}
	}
	loopback := netguard.Guard{Allow: []netip.Prefix{
		netip.MustParsePrefix("127.0.0.0/8"),
		netip.MustParsePrefix("::1/128"),
	}}
	if status, err := get(loopback, "127.0.0.1"); err != nil || status != http.StatusFound {
		t.Errorf("want the redirect itself, got error %v", err)
	}
}
