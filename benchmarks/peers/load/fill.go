// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

// resident prints what memory the server takes for each key that was just put: keys of 64 bytes, none of them twice.
func resident(pool []*clientv3.Client, body string) {
	begin := time.Now()
	fill(pool, body)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%s/status", *pids))
	if err != nil {
		log.Fatal(err)
	}
	for line := range strings.SplitSeq(string(status), "\n") {
		if value, found := strings.CutPrefix(line, "VmRSS:"); found {
			kib, err := strconv.Atoi(strings.Fields(value)[0])
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%-8s %d keys in %.1f s: %d resident bytes per key\n", *work, *keys, time.Since(begin).Seconds(), kib*1024 / *keys)
		}
	}
}

// ready waits until all keys can be read again and prints how long that took from the given time on.
// Each attempt dials anew: a client's own wait between attempts would be in the time.
func ready() {
	begin := time.UnixMilli(*since)
	for time.Since(begin) < 5*time.Minute {
		if count() == int64(*keys) {
			fmt.Printf("%-8s %d keys after %.2f s\n", *work, *keys, time.Since(begin).Seconds())
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	log.Fatalf("%d keys did not come back in 5 minutes", *keys)
}

// count is the number of keys, or -1 if the server does not say.
func count() int64 {
	connection, err := net.DialTimeout("tcp", strings.TrimPrefix(*endpoint, "http://"), time.Second)
	if err != nil {
		return -1
	}
	connection.Close()
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{*endpoint}, Logger: zap.NewNop()})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	response, err := client.Get(ctx, "/registry/pods/", clientv3.WithPrefix(), clientv3.WithCountOnly())
	if err != nil {
		return -1
	}
	return response.Count
}
