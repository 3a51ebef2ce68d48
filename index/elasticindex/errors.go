package elasticindex

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"kith"
	"kith/index"
)

const service = "elasticsearch"

// lostError reports that the cluster did not answer. Problems that waiting cannot solve, such as an untrusted
// certificate, are not of kind Unavailable.
func lostError(err error) error {
	if untrusted, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return certificateError(untrusted)
	}
	if _, plain := errors.AsType[tls.RecordHeaderError](err); plain || errors.Is(err, http.ErrSchemeMismatch) {
		return fmt.Errorf("the server does not speak TLS; should its address begin with http, not https? %w", err)
	}
	if errors.Is(err, errNotElasticsearch) {
		return err
	}
	return kith.Unreachable(service, err)
}

// certificateError explains how to fix a certificate.
func certificateError(err *tls.CertificateVerificationError) error {
	if _, other := errors.AsType[x509.HostnameError](err); other {
		return fmt.Errorf("the certificate of Elasticsearch is for another name; use that name in "+
			"--elasticsearch-url: "+"%w", err)
	}
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok && invalid.Reason == x509.Expired {
		return fmt.Errorf("the certificate of Elasticsearch has expired or is not valid yet; renew it, or set the "+
			"clock: "+"%w", err)
	}
	return fmt.Errorf("the certificate of Elasticsearch is not trusted; name its authority with --elasticsearch-ca: %w",
		err)
}

var errNotElasticsearch = errors.New("the server is not Elasticsearch; give the address of Elasticsearch 8 with " +
	"--elasticsearch-url")

// statusError turns an unsuccessful answer into an error; temporary problems are Unavailable.
func statusError(doing string, a answer) error {
	err := fmt.Errorf("%s: Elasticsearch answers %d: %s", doing, a.status, strings.TrimRight(reason(a.body), "; "))
	switch {
	case isFloodStage(err.Error()):
		return kith.DiskFull(service, err)
	case isRetryable(a.status), a.status == http.StatusGatewayTimeout:
		return kith.Unreachable(service, err)
	case isForbidden(a.status):
		return explainForbidden(a.status, err)
	}
	return err
}

// isFloodStage reports whether Elasticsearch refuses documents because its disks are too full. That is also the meaning
// of its index.blocks.read_only_allow_delete.
func isFloodStage(reason string) bool { return strings.Contains(reason, "flood-stage") }

// isForbidden reports whether a status is about the credentials or a read-only index, not about the request.
func isForbidden(status int) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden
}

// explainForbidden adds the remedy to an error.
func explainForbidden(status int, err error) error {
	switch {
	case status == http.StatusUnauthorized:
		return fmt.Errorf("%w; check the API key or the user and password", err)
	case strings.Contains(err.Error(), "cluster_block_exception"):
		return fmt.Errorf("%w; the index is read-only: resolve the reason, then set its index.blocks settings to null",
			err)
	}
	return fmt.Errorf("%w; the credentials need the privilege monitor on the cluster, and manage, write and read on "+
		"Kith's indices", err)
}

// reason returns the cluster's explanation from an answer.
func reason(body []byte) string {
	var failed struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &failed) != nil || len(failed.Error) == 0 {
		return string(body[:min(len(body), 500)])
	}
	var why cause
	if json.Unmarshal(failed.Error, &why) != nil {
		return string(failed.Error)
	}
	return why.String()
}

// cause is the error object of Elasticsearch.
type cause struct {
	Type      string  `json:"type"`
	Reason    string  `json:"reason"`
	RootCause []cause `json:"root_cause"`
}

func (c cause) String() string {
	text := c.Type + ": " + c.Reason
	if len(c.RootCause) > 0 && c.RootCause[0].Reason != c.Reason {
		text += " (" + c.RootCause[0].String() + ")"
	}
	return text
}

func noVersion(name string) error {
	return kith.Errorf(kith.NotFound, "INDEX_VERSION_NOT_FOUND", "there is no index version %q", name)
}

// noActive reports that there is no index to search: not yet, or no longer.
func noActive(c index.Collection) error {
	return kith.Unreachable(service,
		fmt.Errorf("no index version of %s is active: start kith serve once or run kith reindex", c))
}
