package source

import (
	"net"
	"net/http"
	"time"

	"kith/internal/netguard"
)

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
	t.DialContext = netguard.Guard{}.Dialer(timeout).DialContext
	return t
}

func bareTransport(timeout time.Duration) *http.Transport {
	return &http.Transport{
		TLSHandshakeTimeout: timeout, ResponseHeaderTimeout: timeout, IdleConnTimeout: time.Minute,
		MaxIdleConnsPerHost: 8, MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true,
	}
}
