// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// latency puts at a steady rate and prints how long it took until watchers saw what was put: from before the request to the event.
func latency(pool []*clientv3.Client, body string) {
	var mutex sync.Mutex
	var all []time.Duration
	var measured atomic.Bool
	watch(pool, func(response clientv3.WatchResponse) {
		if !measured.Load() {
			return
		}
		mutex.Lock()
		defer mutex.Unlock()
		for _, event := range response.Events {
			put, err := strconv.ParseInt(string(event.Kv.Value[:19]), 10, 64)
			if err != nil {
				log.Fatal(err)
			}
			all = append(all, time.Duration(time.Now().UnixNano()-put))
		}
	})
	begin, end := time.Now().Add(time.Duration(*warm)*time.Second), time.Now().Add(time.Duration(*warm+*seconds)*time.Second)
	var before []time.Duration
	ticks := time.NewTicker(time.Second / time.Duration(*rate))
	defer ticks.Stop()
	for n := 0; time.Now().Before(end); n++ {
		<-ticks.C
		if before == nil && time.Now().After(begin) {
			before = cpu()
			measured.Store(true)
		}
		go func() {
			if _, err := pool[n%len(pool)].Put(context.Background(), key(rand.IntN(1000)), fmt.Sprintf("%019d%s", time.Now().UnixNano(), body[19:])); err != nil {
				log.Fatal(err)
			}
		}()
	}
	after := cpu()
	mutex.Lock()
	defer mutex.Unlock()
	slices.Sort(all)
	count := len(all)
	fmt.Printf("%-8s %9d events  %8.2f CPU-µs per event  p50 %v  p99 %v  p99.9 %v\n", *work, count, float64((after[0]-before[0]).Microseconds())/float64(count),
		all[count/2].Round(time.Microsecond), all[count*99/100].Round(time.Microsecond), all[count*999/1000].Round(time.Microsecond))
}
