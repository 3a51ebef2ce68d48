package keys_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/access/keys"
	"kith/internal/test/expect"
)

// A secret is the same master key from any source, with or without a newline at the end.
func TestMasterKeyIsReadFromAnyPlace(t *testing.T) {
	secret := strings.Repeat("s3cr", 10)
	path := filepath.Join(t.TempDir(), "master.key")
	expect.NoError(t, os.WriteFile(path, []byte(secret+"\n"), 0o600))
	want, err := keys.NewMaster([]byte(secret))
	expect.NoError(t, err)
	for _, p := range []keys.MasterSource{
		{Secret: secret},
		{File: path},
		{Command: "cat '" + path + "'"},
		{Command: "printf %s " + secret},
	} {
		got, err := p.Master(t.Context())
		if err != nil || got.Fingerprint != want.Fingerprint {
			t.Errorf("%+v: %v, %v", p, got, err)
		}
	}
	if got, err := (keys.MasterSource{}).Master(t.Context()); got != nil || err != nil {
		t.Errorf("without a place: %v, %v", got, err)
	}
	if strings.Contains(secret, want.Fingerprint) || len(want.Fingerprint) != 12 {
		t.Errorf("the fingerprint is %s", want.Fingerprint)
	}
}

func TestSourcesWithoutAKeyAreErrors(t *testing.T) {
	for want, p := range map[string]keys.MasterSource{
		"at least 32":   {Secret: "short"},
		"no such file":  {File: "/none/master.key"},
		"the command":   {Command: "exit 3"},
		"at least 32 ":  {Command: "true"},
		"exclude one":   {Secret: strings.Repeat("x", 32), File: "/none"},
		"has 2 sources": {Command: "true", File: "/none"},
	} {
		if _, err := p.Master(t.Context()); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
