package main

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// balancer gives new connections to servers that are ready, as a Service does. Without one it refuses them. Any goroutine.
type balancer struct {
	servers []*server
}

type server struct {
	address string
	ready   atomic.Bool
}

func newBalancer(addresses []string) *balancer {
	b := &balancer{}
	for _, address := range addresses {
		s := &server{address: address}
		b.servers = append(b.servers, s)
		go s.probe()
	}
	return b
}

// probe asks twice a second: a server that started anew must not count as ready, since it refuses everybody with 403 at first. Of three answers that do not
// come in time, two do no harm.
func (s *server) probe() {
	probe := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{TLSClientConfig: trustful(), DisableKeepAlives: true}}
	failures := 0
	for ; ; time.Sleep(500 * time.Millisecond) {
		response, err := probe.Get("https://" + s.address + "/readyz")
		if err == nil {
			_ = response.Body.Close()
		}
		if err == nil && response.StatusCode == http.StatusOK {
			failures = 0
			s.ready.Store(true)
			continue
		}
		failures++
		if err == nil || failures >= 3 || refused(s.address) {
			s.ready.Store(false)
		}
	}
}

// refused tells a process that is gone: a container that ended is not ready at once.
func refused(address string) bool {
	connection, err := net.DialTimeout("tcp", address, 10*time.Second)
	if err == nil {
		_ = connection.Close()
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}

func (b *balancer) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	var ready []*server
	for _, s := range b.servers {
		if s.ready.Load() {
			ready = append(ready, s)
		}
	}
	if len(ready) == 0 {
		return nil, &net.OpError{Op: "dial", Net: network, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	}
	return (&net.Dialer{}).DialContext(ctx, network, ready[rand.Intn(len(ready))].address)
}

// client has connections of its own, and is counted.
func (b *balancer) client(token string) *http.Client {
	return &http.Client{Transport: &counted{
		token: token,
		next:  &http.Transport{DialContext: b.dial, TLSClientConfig: trustful(), ForceAttemptHTTP2: true},
	}}
}

func trustful() *tls.Config { return &tls.Config{InsecureSkipVerify: true} }

// counted tells requests by what they ask for, and counts the statuses of those that were not answered with 200.
type counted struct {
	token string
	next  http.RoundTripper
}

func (c *counted) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+c.token)
	query := request.URL.Query()
	what := "watch"
	switch {
	case query.Get("watch") == "":
		what = "list"
	case query.Get("sendInitialEvents") == "true":
		what = "stream"
	}
	requests.add(what)
	response, err := c.next.RoundTrip(request)
	if err != nil {
		requests.add("unanswered")
	} else if response.StatusCode != http.StatusOK {
		requests.add(strconv.Itoa(response.StatusCode))
	}
	return response, err
}

var requests = &counter{byName: map[string]int{}}

type counter struct {
	mutex  sync.Mutex
	byName map[string]int
}

func (c *counter) add(name string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.byName[name]++
}

func (c *counter) counts() map[string]int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	copied := map[string]int{}
	for name, count := range c.byName {
		copied[name] = count
	}
	return copied
}
