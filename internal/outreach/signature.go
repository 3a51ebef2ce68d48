package outreach

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kith"
)

// SignatureAge is the largest accepted difference between the time of a signature and ours, in either direction.
const SignatureAge = 5 * time.Minute

// Sign returns the signature of a body: the time in Unix seconds, and the
// HMAC-SHA-256 of time, a full stop and the body, as "t=…,v1=…".
func Sign(secret, body []byte, at time.Time) string {
	t := strconv.FormatInt(at.Unix(), 10)
	return "t=" + t + ",v1=" + hex.EncodeToString(sum(secret, t, body))
}

func sum(secret []byte, t string, body []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.", t)
	mac.Write(body)
	return mac.Sum(nil)
}

// VerifySignature returns nil if [Sign] made the signature for this body and secret,
// within [SignatureAge] of now. Otherwise it returns Unauthorized.
func VerifySignature(secret []byte, signature string, body []byte, now time.Time) error {
	t, given, ok := strings.Cut(strings.TrimPrefix(signature, "t="), ",v1=")
	seconds, err := strconv.ParseInt(t, 10, 64)
	mac, hexErr := hex.DecodeString(given)
	if !ok || err != nil || hexErr != nil || len(secret) == 0 || !hmac.Equal(mac, sum(secret, t, body)) {
		return kith.Errorf(kith.Unauthorized, "SIGNATURE_INVALID",
			"the signature is missing or wrong; send t=<Unix seconds>,v1=<hex HMAC-SHA-256 of the time, a full stop "+
				"and the "+
				"body>")
	}
	if age := now.Sub(time.Unix(seconds, 0)); age > SignatureAge || age < -SignatureAge {
		return kith.Errorf(kith.Unauthorized, "SIGNATURE_EXPIRED",
			"the signature is more than 5 minutes old, or its clock is wrong")
	}
	return nil
}
