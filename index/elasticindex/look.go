package elasticindex

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A node that hangs keeps its connections, and the cluster needs half a minute to give it up. Until then it does not
// answer as the receiver of a request, and makes requests to other nodes wait for its shards. Sending slow searches
// twice would double the load when all are slow. So a request that takes longer than patience asks first who answers,
// and is sent again only if that helps.
const (
	// patience is how long a request waits before it looks out for silent nodes.
	patience = 200 * time.Millisecond
	// lookLimit is the time in which an address has to answer, lookWithin that of the data nodes after it.
	lookLimit  = 700 * time.Millisecond
	lookWithin = "400ms"
	// lookEvery is the pause between look-outs while something is silent or a request waits.
	lookEvery = 500 * time.Millisecond
)

// lookout finds out which parts of a cluster answer.
type lookout struct {
	mu     sync.Mutex
	looked time.Time
	// watching is held by a goroutine that looks out until everything answers.
	watching sync.Mutex
	closed   <-chan struct{}
	isClosed func() bool
	close    func()
}

func newLookout() *lookout {
	ctx, cancel := context.WithCancel(context.Background())
	return &lookout{closed: ctx.Done(), isClosed: func() bool { return ctx.Err() != nil }, close: cancel}
}

// look asks all addresses at once which data nodes answer, unless somebody has just done so.
func (c *cluster) look(ctx context.Context) {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	if time.Since(c.out.looked) < lookEvery/2 {
		return
	}
	// The result is for everyone, also if this request ends meanwhile.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookLimit)
	defer cancel()
	views := make([]view, len(c.nodes.all))
	var group sync.WaitGroup
	for i, n := range c.nodes.all {
		group.Go(func() {
			var err error
			views[i], err = c.view(ctx, n)
			c.nodes.saw(n, err == nil)
		})
	}
	group.Wait()
	worst := slices.MaxFunc(views, func(a, b view) int { return a.Summary.Failed - b.Summary.Failed })
	c.nodes.heard(slices.Collect(maps.Keys(worst.Nodes)), worst.Summary.Failed)
	c.out.looked = time.Now()
	c.watch()
}

// view is what one node sees of the data nodes.
type view struct {
	Summary struct {
		Failed int `json:"failed"`
	} `json:"_nodes"`
	Nodes map[string]struct{} `json:"nodes"`
}

// view asks an address for its view. Every answer shows that the address answers; one that does not list data nodes,
// such as a refusal, leaves the view empty.
func (c *cluster) view(ctx context.Context, n *node) (v view, err error) {
	res, err := c.transport.RoundTrip(n.http(ctx, request{
		method: http.MethodGet, path: "/_nodes/data:true/_none",
		params: "timeout=" + lookWithin + "&filter_path=_nodes.failed,nodes.*.name",
	}))
	if err != nil {
		return v, err
	}
	defer res.Body.Close()
	body, err := c.readBody(res)
	if err == nil && res.StatusCode == http.StatusOK && json.Unmarshal(body, &v) != nil {
		v = view{}
	}
	return v, err
}

// watch looks out until everything answers, unless that is being done.
func (c *cluster) watch() {
	if c.nodes.isWell() || c.out.isClosed() || !c.out.watching.TryLock() {
		return
	}
	go func() {
		for !c.nodes.isWell() && !c.out.isClosed() {
			select {
			case <-c.out.closed:
			case <-time.After(lookEvery):
				c.look(context.Background())
			}
		}
		c.out.watching.Unlock()
		c.watch() // for what became silent just before
	}()
}

// attend looks out while a request waits, and calls leave when the request should be sent again. stop ends that.
func (c *cluster) attend(ctx context.Context, leave func(), better func() bool) (stop func() bool) {
	return time.AfterFunc(patience, func() {
		for ctx.Err() == nil {
			c.look(ctx)
			if better() {
				leave()
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(lookEvery):
			}
		}
	}).Stop
}
