package elastictest

import (
	"context"
	"errors"
	"os"
	"sync"
)

// missingError says what must be installed before this machine can run Elasticsearch.
type missingError struct{ error }

// Unwrap returns the error itself.
func (e *missingError) Unwrap() error { return e.error }

// Missing returns an error that says what to install if the machine lacks Java, which runs
// Elasticsearch, or Maven, which downloads it.
func Missing() error { return missing() }

// missing asks Java once.
var missing = sync.OnceValue(func() error {
	_, java := javaHome(context.Background())
	var lacks []error
	for _, err := range []error{java, missingZip()} {
		if _, missing := errors.AsType[*missingError](err); missing {
			lacks = append(lacks, err)
		} // other errors fail the start of a node
	}
	return errors.Join(lacks...)
})

// missingZip returns an error if the distribution is missing and cannot be downloaded.
func missingZip() error {
	if os.Getenv(ZipVariable) != "" {
		return nil
	}
	cached, err := cachedZip()
	if err != nil {
		return err
	}
	for _, locate := range []func() (string, error){unpacked, cachedZip, mavenZip} {
		path, err := locate()
		if err != nil {
			return err
		}
		if _, err := os.Stat(path); err == nil {
			return nil
		}
	}
	_, err = lookMaven(cached)
	return err
}
