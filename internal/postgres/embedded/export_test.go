//go:build unix

package embedded

import "time"

// StopInOrder is o with servers that may take that long to end in order.
func StopInOrder(o Options, d time.Duration) Options {
	o.stopInOrder = d
	return o
}
