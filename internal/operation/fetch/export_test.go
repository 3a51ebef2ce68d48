package fetch

import "time"

// Hasty makes f try again at once.
func Hasty(f *Fetcher) *Fetcher {
	f.pause = time.Nanosecond
	return f
}
