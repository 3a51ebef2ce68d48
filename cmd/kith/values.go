package main

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

// ignoreEmpty treats empty environment variables as unset, because a Compose file passes
// unset variables as empty ones. Otherwise an empty data folder would mean the working
// directory, and an empty KITH_DATABASE_URL would hide DATABASE_URL.
func ignoreEmpty(n *kong.Node) error {
	for _, f := range n.Flags {
		for _, name := range f.Envs {
			if value, set := os.LookupEnv(name); !set || value != "" {
				continue
			}
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	for _, child := range n.Children {
		if err := ignoreEmpty(child); err != nil {
			return err
		}
	}
	return nil
}

// dirName is the path of a folder.
type dirName string

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *dirName) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("it must name a directory")
	}
	*d = dirName(kong.ExpandPath(string(text)))
	return nil
}

// cidr is a network.
type cidr struct{ netip.Prefix }

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *cidr) UnmarshalText(text []byte) error {
	p, err := netip.ParsePrefix(string(text))
	if err != nil {
		return fmt.Errorf("must be a network such as 10.1.0.0/16, or 10.1.2.3/32 for one address (got %q)", text)
	}
	c.Prefix = p
	return nil
}

// origin is the value of a browser's Origin header, or "*". It must have that exact form,
// because it is compared as text.
type origin string

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *origin) UnmarshalText(text []byte) error {
	s := string(text)
	u, err := url.Parse(s)
	web := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
	if s != "*" && (!web || s != u.Scheme+"://"+strings.ToLower(u.Host)) {
		return fmt.Errorf("%q is not an origin such as https://app.example.com: give scheme and host in lower case, "+
			"nothing after them", s)
	}
	*o = origin(s)
	return nil
}

func originsOf(list []origin) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}
