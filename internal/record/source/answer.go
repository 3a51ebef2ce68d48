package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"kith"
	"kith/internal/access/netguard"
)

// maxRedirects limits the redirects of one request.
const maxRedirects = 3

// get returns the body of a 200 answer. It follows redirects itself, at most maxRedirects: to the provider with the
// key; elsewhere only to public addresses and without it; never from https to http.
func (p *Provider) get(ctx context.Context, address string) ([]byte, error) {
	for range maxRedirects + 1 {
		at, err := url.Parse(address)
		if err != nil {
			return nil, errRedirect(err)
		}
		res, err := p.send(ctx, at)
		if err != nil {
			return nil, err
		}
		next, err := follow(at, res)
		if err != nil || next == "" {
			return p.read(res, err)
		}
		res.Body.Close()
		address = next
	}
	return nil, errRedirect(errors.New("too many redirects"))
}

func (p *Provider) send(ctx context.Context, at *url.URL) (*http.Response, error) {
	own := at.Scheme == p.base.Scheme && at.Host == p.base.Host
	req, err := p.request(ctx, at.String(), own)
	if err != nil {
		return nil, err
	}
	if own {
		return p.direct.Do(req)
	}
	res, err := p.public.Do(req)
	if errors.Is(err, netguard.ErrPrivate) {
		return nil, errRedirect(err)
	}
	return res, err
}

// follow returns the target of a redirect, or "" for any other answer.
func follow(from *url.URL, res *http.Response) (string, error) {
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect:
	default:
		return "", nil
	}
	to, err := from.Parse(res.Header.Get("Location"))
	switch {
	case err != nil:
		return "", errRedirect(err)
	case to.Scheme != "https" && (to.Scheme != "http" || from.Scheme != "http"), to.Host == "", to.User != nil:
		return "", errRedirect(fmt.Errorf("to the scheme %q", to.Scheme))
	}
	return to.String(), nil
}

func errRedirect(cause error) error {
	return &kith.Error{
		Kind: kith.Invalid, Code: CodeRedirect,
		Detail: "the data source redirects to a forbidden address", Cause: cause,
	}
}

// read returns the body of a 200 answer, up to the size limit. For another status it returns an error.
func (p *Provider) read(res *http.Response, err error) ([]byte, error) {
	defer res.Body.Close()
	if err == nil {
		err = p.meaning(res)
	}
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, p.cfg.MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if int64(len(body)) > p.cfg.MaxBytes {
		return nil, kith.Errorf(kith.Invalid, CodeTooLarge, "the data source responded with more than %d bytes",
			p.cfg.MaxBytes)
	}
	return body, nil
}

// meaning converts a status into an error.
func (p *Provider) meaning(res *http.Response) error {
	cause := fmt.Errorf("status %d", res.StatusCode)
	wait := p.retryAfter(res.Header.Get("Retry-After"))
	switch s := res.StatusCode; {
	case s == http.StatusOK:
		return nil
	case s == http.StatusNotFound, s == http.StatusGone, s == http.StatusNoContent:
		return errUnknown()
	case s == http.StatusTooManyRequests:
		wait = max(wait, time.Second)
		p.silent.Store(p.cfg.Now().Add(wait).UnixNano())
		return errRateLimited(wait)
	case s == http.StatusRequestTimeout, s == http.StatusGatewayTimeout:
		return errTimeout(cause)
	case s == http.StatusUnauthorized, s == http.StatusForbidden, s == http.StatusPaymentRequired:
		return &kith.Error{
			Kind: kith.Unavailable, Code: CodeRefused,
			Detail: "the data source rejected our credentials", Cause: cause,
		}
	case s >= http.StatusInternalServerError:
		return &kith.Error{
			Kind: kith.Unavailable, Code: CodeUnavailable, Detail: "the data source failed",
			RetryAfter: wait, Cause: cause,
		}
	}
	return errMalformed(cause)
}

// retryAfter parses the header, seconds or a date; 0 if there is none.
func (p *Provider) retryAfter(header string) time.Duration {
	wait := time.Duration(0)
	if seconds, err := strconv.ParseInt(header, 10, 32); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(header); err == nil {
		wait = at.Sub(p.cfg.Now())
	}
	return min(max(wait, 0), maxRetryAfter)
}
