// SPDX-License-Identifier: Apache-2.0

// Command load puts one kind of work on an etcd server for a while and prints how much it did and what CPU time the server took for it.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
)

var (
	endpoint = flag.String("endpoint", "http://127.0.0.1:2379", "the server")
	pids     = flag.String("pids", "", "the servers' processes, whose CPU time is taken, with commas between")
	caFile   = flag.String("cacert", "", "CA of the server, for pods")
	token    = flag.String("token", "", "bearer token, for pods")
	work     = flag.String("work", "create", "create, update, get, list, watch, latency, leases, fill, ready, or pods through a kube-apiserver")
	clients  = flag.Int("clients", 64, "requests under way at a time")
	conns    = flag.Int("conns", 8, "connections")
	seconds  = flag.Int("seconds", 5, "how long")
	warm     = flag.Int("warm", 10, "seconds of the same before it is measured")
	keys     = flag.Int("keys", 10000, "keys that are there for update, get and list")
	page     = flag.Int64("page", 0, "keys of a page of list; 0: all in one")
	watchers = flag.Int("watchers", 10, "for watch, each on a stream of its own")
	rate     = flag.Int("rate", 0, "operations a second, evenly, each timed from when it was due; 0: as many as can be")
	since    = flag.Int64("since", 0, "for ready, milliseconds since 1970")
	value    = flag.Int("value", 512, "bytes of a value")
)

func key(i int) string {
	return fmt.Sprintf("/registry/pods/namespace-%02d/a-pod-with-a-name-%018d", i%20, i)
}

// cpu is the CPU time that each of the servers has taken.
func cpu() []time.Duration {
	var taken []time.Duration
	for pid := range strings.SplitSeq(*pids, ",") {
		taken = append(taken, cpuOf(pid))
	}
	return taken
}

func cpuOf(pid string) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%s/stat", pid))
	if err != nil {
		log.Fatal(err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+2:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

func main() {
	flag.Parse()
	log.SetFlags(0)
	if *work == "pods" {
		pods()
		return
	}
	pool := make([]*clientv3.Client, *conns)
	for i := range pool {
		client, err := clientv3.New(clientv3.Config{Endpoints: []string{*endpoint}, DialTimeout: 5 * time.Second})
		if err != nil {
			log.Fatal(err)
		}
		pool[i] = client
	}
	body := strings.Repeat("v", *value)
	if *work == "update" || *work == "get" || *work == "list" {
		fill(pool, body)
	}
	var operation func(c *clientv3.Client, n int) error
	var delivered atomic.Int64
	var created atomic.Int64
	start := int(time.Now().UnixNano() % 1e9)
	switch *work {
	case "create":
		operation = func(c *clientv3.Client, n int) error {
			return create(c, fmt.Sprintf("%s-%d", key(int(created.Add(1))), start), body)
		}
	case "update":
		revisions := make([]atomic.Int64, *keys)
		operation = func(c *clientv3.Client, n int) error {
			i := rand.IntN(*keys)
			return update(c, key(i), body, &revisions[i])
		}
	case "get":
		operation = func(c *clientv3.Client, n int) error {
			_, err := c.Get(context.Background(), key(rand.IntN(*keys)), clientv3.WithLimit(1))
			return err
		}
	case "list":
		operation = func(c *clientv3.Client, n int) error { return list(c) }
	case "watch":
		watch(pool, func(response clientv3.WatchResponse) { delivered.Add(int64(len(response.Events))) })
		operation = func(c *clientv3.Client, n int) error {
			_, err := c.Put(context.Background(), key(rand.IntN(1000)), body)
			return err
		}
	case "fill":
		resident(pool, body)
		return
	case "ready":
		ready()
		return
	case "latency":
		latency(pool, body)
		return
	case "leases":
		operation = func(c *clientv3.Client, n int) error { return renew(c, n*leasesPerClient+rand.IntN(leasesPerClient)) }
	default:
		log.Fatalf("-work=%s is not known: create, update, get, list, watch, latency, leases, fill, ready or pods", *work)
	}
	measure(pool, operation, &delivered)
}

func pods() {
	pool := make([]*apiserver, *conns)
	for i := range pool {
		connection, err := connect(*endpoint, *caFile, *token)
		if err != nil {
			log.Fatal(err)
		}
		pool[i] = connection
	}
	var created atomic.Int64
	measure(pool, func(a *apiserver, n int) error {
		return a.createPod(fmt.Sprintf("web-6b7f675859-%09d", created.Add(1)))
	}, &atomic.Int64{})
}

func measure[C any](pool []C, operation func(c C, n int) error, delivered *atomic.Int64) {
	run(pool, operation, time.Duration(*warm)*time.Second)
	before, cpuBefore, begin := delivered.Load(), cpu(), time.Now()
	latencies := run(pool, operation, time.Duration(*seconds)*time.Second)
	took, cpuAfter := time.Since(begin), cpu()
	slices.Sort(latencies)
	count := len(latencies)
	per, unit := count, "operation"
	if events := delivered.Load() - before; events > 0 {
		per, unit = int(events), "event"
	}
	var cpuPer []string
	for i := range cpuAfter {
		cpuPer = append(cpuPer, fmt.Sprintf("%8.2f", float64((cpuAfter[i]-cpuBefore[i]).Microseconds())/float64(per)))
	}
	fmt.Printf("%-8s %9.0f operations/s  %s CPU-µs per %s  p50 %v  p99 %v  p99.9 %v\n", *work, float64(count)/took.Seconds(),
		strings.Join(cpuPer, " +"), unit, latencies[count/2].Round(time.Microsecond), latencies[count*99/100].Round(time.Microsecond), latencies[count*999/1000].Round(time.Microsecond))
}

func run[C any](pool []C, operation func(c C, n int) error, duration time.Duration) []time.Duration {
	var wait sync.WaitGroup
	all := make([][]time.Duration, *clients)
	end := time.Now().Add(duration)
	var interval time.Duration
	if *rate > 0 {
		interval = time.Second * time.Duration(*clients) / time.Duration(*rate)
	}
	for n := range *clients {
		wait.Add(1)
		go func() {
			defer wait.Done()
			due := time.Now().Add(interval * time.Duration(n) / time.Duration(*clients))
			for time.Now().Before(end) {
				begin := time.Now()
				if interval > 0 {
					time.Sleep(time.Until(due))
					begin, due = due, due.Add(interval)
				}
				if err := operation(pool[n%len(pool)], n); err != nil {
					log.Fatal(err)
				}
				all[n] = append(all[n], time.Since(begin))
			}
		}()
	}
	wait.Wait()
	return slices.Concat(all...)
}

func fill(pool []*clientv3.Client, body string) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for n := range 64 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := int(next.Add(1)) - 1; i < *keys; i = int(next.Add(1)) - 1 {
				if _, err := pool[n%len(pool)].Put(context.Background(), key(i), body); err != nil {
					log.Fatal(err)
				}
			}
		}()
	}
	wait.Wait()
}

// create and update are the Txns of kube-apiserver.
func create(c *clientv3.Client, key, body string) error {
	response, err := c.Txn(context.Background()).If(clientv3.Compare(clientv3.ModRevision(key), "=", 0)).Then(clientv3.OpPut(key, body)).Commit()
	if err == nil && !response.Succeeded {
		err = fmt.Errorf("%s was there", key)
	}
	return err
}

func update(c *clientv3.Client, key, body string, revision *atomic.Int64) error {
	response, err := c.Txn(context.Background()).If(clientv3.Compare(clientv3.ModRevision(key), "=", revision.Load())).Then(clientv3.OpPut(key, body)).Else(clientv3.OpGet(key)).Commit()
	if err != nil {
		return err
	}
	if response.Succeeded {
		revision.Store(response.Header.Revision)
	} else {
		revision.Store(response.Responses[0].GetResponseRange().Kvs[0].ModRevision)
	}
	return nil
}

func list(c *clientv3.Client) error {
	start, revision := "/registry/pods/", int64(0)
	for {
		options := []clientv3.OpOption{clientv3.WithRange(clientv3.GetPrefixRangeEnd("/registry/pods/")), clientv3.WithRev(revision)}
		if *page > 0 {
			options = append(options, clientv3.WithLimit(*page))
		}
		response, err := c.Get(context.Background(), start, options...)
		if err != nil || !response.More {
			return err
		}
		start, revision = string(response.Kvs[len(response.Kvs)-1].Key)+"\x00", response.Header.Revision
	}
}

func watch(pool []*clientv3.Client, seen func(clientv3.WatchResponse)) {
	for n := range *watchers {
		ctx := clientv3.WithRequireLeader(context.WithValue(context.Background(), watcherKey{}, n))
		watcher := clientv3.NewWatcher(pool[n%len(pool)])
		responses := watcher.Watch(ctx, "/registry/pods/", clientv3.WithPrefix(), clientv3.WithPrevKV(), clientv3.WithCreatedNotify())
		<-responses
		go func() {
			for response := range responses {
				seen(response)
			}
		}()
	}
}

type watcherKey struct{}
