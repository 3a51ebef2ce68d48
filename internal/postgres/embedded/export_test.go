//go:build unix

package embedded

import "time"

// StopInOrder is o with servers that may take that long to end in order.
func StopInOrder(o Options, d time.Duration) Options {
	o.stopInOrder = d
	return o
}

// Silence is o with servers that may take that long to answer.
func Silence(o Options, d time.Duration) Options {
	o.silence = d
	return o
}

// Say is o where the log says after that long what is waited for.
func Say(o Options, d time.Duration) Options {
	o.say = d
	return o
}

// FetchFrom is o with a repository of the test's own, which is asked again at once.
func FetchFrom(o Options, repository string) Options {
	o.repository, o.fetchPause = repository, time.Nanosecond
	return o
}
