package elasticindex

import "time"

// Hurry lets a request take so long.
func (d *Driver) Hurry(timeout time.Duration) { d.timeout = timeout }
