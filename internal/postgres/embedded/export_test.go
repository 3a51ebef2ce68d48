//go:build unix

package embedded

import "time"

// StopInOrder is o with the given time for an orderly shutdown.
func StopInOrder(o Options, d time.Duration) Options {
	o.stopInOrder = d
	return o
}

// Silence is o with the given time for a server to answer.
func Silence(o Options, d time.Duration) Options {
	o.silence = d
	return o
}

// Say is o with log messages about a wait after the given time.
func Say(o Options, d time.Duration) Options {
	o.say = d
	return o
}
