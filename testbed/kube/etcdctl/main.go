// Command etcdctl is etcd's client, linked from its Go module.
package main

import "go.etcd.io/etcd/etcdctl/v3/ctlv3"

func main() { ctlv3.MustStart() }
