package elasticindex

import (
	"context"
	"strings"

	"kith/index"
)

// Trace returns a context under which every driver notes the requests that it
// sends, and a function that tells those noted so far, in the order in which
// they were sent: method and path on the first line, behind it the body.
func Trace(ctx context.Context) (tracing context.Context, sent func() []string) {
	ctx, noted := index.Trace[request](ctx)
	return ctx, func() []string {
		var texts []string
		for _, r := range noted() {
			path := r.path
			if r.params != "" {
				path += "?" + r.params
			}
			texts = append(texts, strings.TrimRight(r.method+" "+path+"\n"+string(r.body), "\n"))
		}
		return texts
	}
}
