package netguard_test

import (
	"net/netip"
	"testing"

	"kith/internal/access/netguard"
)

func TestEverySpellingOfAPrivateHostIsRefused(t *testing.T) {
	for _, host := range []string{
		"localhost", "LOCALHOST", "localhost.", "app.localhost", "127.0.0.1", "127.0.0.1.", "127.1", "127.0.1",
		"2130706433",
		"0x7f000001", "0x7f.1", "0X7F.0.0.1",
		"0177.0.0.1", "017700000001", "0", "0.0.0.0", "10.1", "0xa9fea9fe", "169.254.43518", "[::1]", "::1",
		"::ffff:127.0.0.1", "[::ffff:7f00:1]", "fe80::1%eth0",
		"１２７．０．０．１", "127。0。0。1", "①②⑦.0.0.1", "ⓛocalhost", "192.168.0.1", "172.16.1", "100.64.0.1",
	} {
		if (netguard.Guard{}).AllowsHost(host) {
			t.Errorf("%s is allowed", host)
		}
	}
	for _, host := range []string{
		"example.com", "8.8.8.8", "134744072", "0x08080808", "2606:4700::1111",
		"127.0.0.1.example.com", "localhost.example.com", "256.1", "1.2.3.4.5", "face.example",
	} {
		if !(netguard.Guard{}).AllowsHost(host) {
			t.Errorf("%s is refused", host)
		}
	}
	loopback := netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	for _, host := range []string{"localhost", "127.1", "0x7f000001"} {
		if !loopback.AllowsHost(host) || !loopback.Resolves(t.Context(), host) {
			t.Errorf("%s is refused although its network is allowed", host)
		}
	}
	if (netguard.Guard{}).Resolves(t.Context(), "127.1") {
		t.Error("127.1 counts as allowed")
	}
}
