package machine

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"exaplane.io/testbed/node/internal/layout"
	"exaplane.io/testbed/node/internal/run"
)

// MakeBridge makes the test bed's one bridge in this host's own namespace, with routes to what is behind the management machine.
func MakeBridge() error {
	if _, err := run.Command("ip", "link", "show", layout.Bridge); err == nil {
		return nil
	}
	if err := ip("link", "add", layout.Bridge, "type", "bridge"); err != nil {
		return err
	}
	return errors.Join(
		ip("-6", "addr", "add", layout.BridgeAddress+"/64", "dev", layout.Bridge, "nodad"),
		ip("link", "set", layout.Bridge, "up"))
}

// MakeNetwork makes the machine's namespace, its link to the bridge and the routes between it and the other machines.
func (m Machine) MakeNetwork() error {
	if _, err := os.Stat("/var/run/netns/" + m.Namespace()); err != nil {
		if err := m.makeNamespace(); err != nil {
			return errors.Join(err, m.removeNetwork())
		}
	}
	if m.Number == 0 {
		for _, cidr := range []string{layout.PodCIDR, layout.ServiceCIDR, layout.LoadBalancerCIDR} {
			if err := ip("-6", "route", "replace", cidr, "via", m.Address(), "dev", layout.Bridge); err != nil {
				return err
			}
		}
		return nil
	}
	for _, other := range All(m.Layout) {
		if other.Number == m.Number {
			continue
		}
		if err := errors.Join(m.ip("-6", "route", "replace", other.PodCIDR(), "via", other.Address()),
			other.ip("-6", "route", "replace", m.PodCIDR(), "via", m.Address())); err != nil {
			return err
		}
	}
	// Everything else, the management cluster's Services above all, is behind the management machine.
	return m.ip("-6", "route", "replace", "default", "via", layout.NodeAddress(0))
}

func (m Machine) makeNamespace() error {
	commands := [][]string{
		{"netns", "add", m.Namespace()},
		{"link", "add", m.link(), "type", "veth", "peer", "name", "eth0", "netns", m.Namespace()},
		{"link", "set", m.link(), "master", layout.Bridge, "up"},
	}
	for _, c := range commands {
		if err := ip(c...); err != nil {
			return err
		}
	}
	if _, err := run.Command("nsenter", m.Inside("sh", "-c", "echo 1 >/proc/sys/net/ipv6/conf/all/forwarding; echo 1 >/proc/sys/net/ipv4/ip_forward")[1:]...); err != nil {
		return err
	}
	return errors.Join(m.ip("link", "set", "lo", "up"), m.ip("link", "set", "eth0", "up"),
		m.ip("-6", "addr", "add", m.Address()+"/64", "dev", "eth0", "nodad"))
}

func (m Machine) link() string { return fmt.Sprintf("exav%d", m.Number) }

func (m Machine) ip(args ...string) error {
	_, err := run.Command("nsenter", m.Inside(append([]string{"ip"}, args...)...)[1:]...)
	return err
}

func ip(args ...string) error {
	_, err := run.Command("ip", args...)
	return err
}

// removeNetwork removes the machine's namespace, and with it its interfaces and nft tables, and what the other machines know of it.
func (m Machine) removeNetwork() error {
	for _, other := range All(m.Layout) {
		if other.Number != m.Number {
			_ = other.ip("-6", "route", "del", m.PodCIDR()) // it may have none
		}
	}
	_ = ip("link", "del", m.link()) // deleting either end of a pair deletes both
	if _, err := os.Stat("/var/run/netns/" + m.Namespace()); err != nil {
		return nil
	}
	return ip("netns", "del", m.Namespace())
}

// RemoveBridge removes the bridge with its routes.
func RemoveBridge() error {
	if _, err := run.Command("ip", "link", "show", layout.Bridge); err != nil {
		return nil
	}
	return ip("link", "del", layout.Bridge)
}

// NetworkLeftovers lists our interfaces and namespaces that are still there.
func NetworkLeftovers() []string {
	var left []string
	links, _ := run.Command("ip", "-o", "link", "show")
	for line := range strings.Lines(links) {
		if fields := strings.Fields(line); len(fields) > 1 && (strings.HasPrefix(fields[1], "exav") || fields[1] == layout.Bridge+":") {
			left = append(left, "interface "+strings.Trim(fields[1], ":"))
		}
	}
	namespaces, _ := os.ReadDir("/var/run/netns")
	for _, n := range namespaces {
		if strings.HasPrefix(n.Name(), layout.NamespacePrefix) {
			left = append(left, "network namespace "+n.Name())
		}
	}
	return left
}
