package faults_test

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"kith/internal/test/expect"
)

// proxy passes connections on to a server, with the faults of a network. Those that others have written do not reach
// Postgres here, which has a socket.
type proxy struct {
	host string // with the port

	mu    sync.Mutex
	to    target
	state state
	open  map[net.Conn]bool
}

// target is where a server listens.
type target struct{ network, address string }

// state is what a proxy does with connections.
type state int

const (
	passing state = iota
	gone          // breaks them
	silent        // keeps them and passes nothing on
	slow          // takes 300 ms there and back, and passes 100 KB/s
)

const oneWay, bytesPerSecond = 150 * time.Millisecond, 100 << 10

func newProxy(t *testing.T, to target) *proxy {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	expect.NoError(t, err)
	p := &proxy{host: listener.Addr().String(), to: to, open: map[net.Conn]bool{}}
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			go p.connect(near)
		}
	}()
	t.Cleanup(func() { listener.Close() })
	t.Cleanup(func() { p.set(gone) })
	return p
}

// set changes what happens to connections, also to those that are open.
func (p *proxy) set(s state) {
	p.mu.Lock()
	p.state = s
	p.mu.Unlock()
	if s == gone {
		p.reset()
	}
}

// retarget leads new connections to another server.
func (p *proxy) retarget(to target) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to = to
}

// reset breaks all connections.
func (p *proxy) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		abort(c)
	}
}

// abort closes a connection so that the other end gets a reset.
func abort(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // one that is closed has no other end
	}
	c.Close()
}

func (p *proxy) now() (state, target) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state, p.to
}

// connect passes one connection on until either end closes it.
func (p *proxy) connect(near net.Conn) {
	defer abort(near)
	is, to := p.now()
	if is == gone {
		return
	}
	far, err := new(net.Dialer).DialContext(context.Background(), to.network, to.address)
	if err != nil {
		return
	}
	p.mu.Lock()
	p.open[near], p.open[far] = true, true
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { p.pass(far, near) })
	both.Go(func() { p.pass(near, far) })
	both.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, near)
	delete(p.open, far)
}

// packet is what was read at once, and when it is due at the other end.
type packet struct {
	text []byte
	due  time.Time
}

// pass copies one direction. At its end the other connection is closed.
func (p *proxy) pass(to, from net.Conn) {
	packets := make(chan packet, 1000)
	go func() {
		defer close(packets)
		for due := time.Now(); ; {
			text := make([]byte, 4<<10)
			n, err := from.Read(text)
			if is, _ := p.now(); is != slow {
				due = time.Now()
			} else if soonest := time.Now().Add(oneWay); due.Before(soonest) {
				due = soonest
			}
			due = due.Add(time.Duration(n) * time.Second / bytesPerSecond)
			packets <- packet{text[:n], due}
			if err != nil {
				return
			}
		}
	}()
	for packet := range packets {
		for is, _ := p.now(); is == silent || is == slow && time.Now().Before(packet.due); is, _ = p.now() {
			<-time.After(time.Millisecond)
		}
		if _, err := to.Write(packet.text); err != nil {
			from.Close() // what remains is read and dropped
		}
	}
	to.Close()
}
