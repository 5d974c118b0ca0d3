// coredns is CoreDNS with the plugins that the add-on CoreDNS names, and no others: they compile in a tenth of the time.
package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/forward"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/loadbalance"
	_ "github.com/coredns/coredns/plugin/loop"
	_ "github.com/coredns/coredns/plugin/metrics"
	_ "github.com/coredns/coredns/plugin/ready"
)

// In the order in which CoreDNS itself puts them: of its plugin.cfg.
func main() {
	dnsserver.Directives = []string{"ready", "health", "prometheus", "errors", "cache", "loadbalance", "loop", "kubernetes", "forward"}
	coremain.Run()
}
