package pgtest

import (
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// RetryAtOnce makes a queue retry failed tasks without a wait.
func RetryAtOnce(c *river.Config) { c.RetryPolicy = atOnce{} }

type atOnce struct{}

func (atOnce) NextRetry(*rivertype.JobRow) time.Time { return time.Now().Add(time.Millisecond) }
