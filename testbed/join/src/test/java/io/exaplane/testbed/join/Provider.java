// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/**
 * A provider's network: a router of its own between its hosts and the bridge of the API. One
 * thread.
 */
final class Provider implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** How a prefix for pods comes to a host. */
  enum Shape {
    /** A whole /64 is routed to the host, whose own address lies in it. */
    ROUTED('a', 96),
    /** All hosts are on one /64, in which the router asks for each address by solicitation. */
    ON_LINK('b', 96),
    /**
     * The host has one address alone on its first interface. A /80 of another network is routed to
     * the second one, by which all packets of that network must leave.
     */
    DELEGATED('c', 80);

    final char letter;
    final int podPrefixLength;

    Shape(char letter, int podPrefixLength) {
      this.letter = letter;
      this.podPrefixLength = podPrefixLength;
    }

    /** The name of its NodePool, of which one spans two providers. */
    String pool() {
      return this == DELEGATED ? "edge-c" : "edge-ab";
    }

    /** Everything that the provider has. */
    String network() {
      return "fd00:e:%c::/48".formatted(letter);
    }

    private String router() {
      return "fd00:e:1::" + letter;
    }
  }

  final Shape shape;
  private final Namespace router;

  private Provider(Shape shape, Namespace router) {
    this.shape = shape;
    this.router = router;
  }

  /** Makes the router; the bridge must be there. */
  static Provider make(Shape shape) throws IOException {
    Namespace router = Namespace.make("exj-router-" + shape.letter);
    try {
      router.toCore("exj-core-" + shape.letter, shape.router());
      routes(router, shape);
      Shell.must(
          "ip",
          "-6",
          "route",
          "replace",
          shape.network(),
          "via",
          shape.router(),
          "dev",
          Net.BRIDGE);
      if (shape == Shape.ON_LINK) {
        router.ip("link", "add", "lan", "type", "bridge");
        router.ip("-6", "address", "add", "fd00:e:b:1::1/64", "dev", "lan", "nodad");
        router.ip("link", "set", "lan", "up");
      }
    } catch (IOException | IllegalStateException e) {
      router.close();
      throw e;
    }
    return new Provider(shape, router);
  }

  /** Leads a namespace that is at the bridge to the networks of all providers but its own. */
  static void routes(Namespace from, Shape... own) throws IOException {
    for (Shape other : Shape.values()) {
      if (own.length == 0 || own[0] != other) {
        from.ip("-6", "route", "add", other.network(), "via", other.router(), "dev", "core");
      }
    }
    if (own.length > 0) {
      from.ip("-6", "route", "add", Nat64.PREFIX, "via", Nat64.ADDRESS, "dev", "core");
    }
  }

  /**
   * What a host is plugged into.
   *
   * @param number 1..9
   */
  Port port(int number) {
    return new Port(number);
  }

  @Override
  public void close() throws IOException {
    router.close();
  }

  /** One host's links to the router. */
  final class Port implements Uplink {
    private static final String ROUTER = "fe80::1";
    private final int number;
    private int moves;

    private Port(int number) {
      this.number = number;
    }

    /** From the next boot on, the provider gives the host another prefix. */
    void renumber() {
      moves++;
    }

    @Override
    public void plug(String namespace) throws IOException {
      unplug();
      for (int wire = 0; wire < wires(); wire++) {
        router.ip(
            "link",
            "add",
            link(wire),
            "type",
            "veth",
            "peer",
            "eth" + wire,
            "address",
            mac(wire),
            "netns",
            namespace);
        router.ip("link", "set", link(wire), "addrgenmode", "none");
        if (shape == Shape.ON_LINK) {
          router.ip("link", "set", link(wire), "master", "lan");
        } else {
          router.ip("-6", "address", "add", ROUTER + "/64", "dev", link(wire), "nodad");
        }
        router.ip("link", "set", link(wire), "up");
      }
    }

    /** The second interface has a default route, too, which is not the host's first choice. */
    @Override
    public void configure(Host host) throws IOException {
      for (int wire = 0; wire < wires(); wire++) {
        String eth = "eth" + wire;
        host.inside("ip", "link", "set", eth, "addrgenmode", "none");
        host.inside("ip", "link", "set", eth, "up");
        host.inside("ip", "-6", "address", "add", linkLocal(wire) + "/64", "dev", eth, "nodad");
        String own = address(wire) + (shape == Shape.DELEGATED ? "/128" : "/64");
        host.inside("ip", "-6", "address", "add", own, "dev", eth, "nodad");
        String gateway = shape == Shape.ON_LINK ? "fd00:e:b:1::1" : ROUTER;
        String metric = Integer.toString(100 + 100 * wire);
        host.inside(
            "ip", "-6", "route", "add", "default", "via", gateway, "dev", eth, "metric", metric);
      }
      switch (shape) {
        case ROUTED -> route("fd00:e:a:%x::/64".formatted(subnet()), 0);
        case ON_LINK -> {}
        case DELEGATED -> {
          route(address(0), 0);
          guard(0, address(0));
          route(address(1), 1);
          route(prefix(), 1);
          guard(1, address(1) + ", " + prefix());
        }
      }
    }

    private void route(String network, int wire) throws IOException {
      router.ip("-6", "route", "add", network, "via", linkLocal(wire), "dev", link(wire));
    }

    /** Drops what has another MAC than the interface, or comes from an address elsewhere. */
    private void guard(int wire, String addresses) throws IOException {
      router.inside("sh", "-c", "nft delete table netdev \"$0\" 2>/dev/null; true", link(wire));
      router.inside(
          "nft",
          """
          table netdev %1$s {
            chain in {
              type filter hook ingress device "%1$s" priority 0; policy accept;
              ether saddr != %2$s counter drop
              ip6 saddr != { ::, fe80::/10, %3$s } counter drop
            }
          }
          """
              .formatted(link(wire), mac(wire), addresses));
    }

    /** How many packets of a host with guarded interfaces the router has dropped since the boot. */
    int dropped() throws IOException {
      int all = 0;
      for (int wire = 0; wire < wires(); wire++) {
        String table = router.inside("nft", "--json", "list", "table", "netdev", link(wire));
        for (JsonNode packets : JSON.readTree(table).findValues("packets")) {
          all += packets.asInt();
        }
      }
      return all;
    }

    @Override
    public void unplug() throws IOException {
      for (int wire = 0; wire < wires(); wire++) {
        Shell.may("ip", "-n", router.name, "link", "delete", link(wire));
      }
    }

    private int wires() {
      return shape == Shape.DELEGATED ? 2 : 1;
    }

    @Override
    public String address() {
      return address(0);
    }

    private String address(int wire) {
      return switch (shape) {
        case ROUTED -> "fd00:e:a:%x::1".formatted(subnet());
        case ON_LINK -> "fd00:e:b:1::1%d".formatted(number);
        case DELEGATED -> "fd00:e:c:1::%d%d".formatted(wire + 1, number);
      };
    }

    @Override
    public String prefix() {
      return switch (shape) {
        case ROUTED -> "fd00:e:a:%x:0:1::/96".formatted(subnet());
        case ON_LINK -> "fd00:e:b:1:0:%x::/96".formatted(subnet());
        case DELEGATED -> "fd00:e:c:2:%x::/80".formatted(subnet());
      };
    }

    private int subnet() {
      return number + 0x10 * moves;
    }

    private String link(int wire) {
      return "h%dw%d".formatted(number, wire);
    }

    private String linkLocal(int wire) {
      return "fe80::%d%d".formatted(wire + 1, number);
    }

    private String mac(int wire) {
      return "02:00:00:00:0%c:%d%d".formatted(shape.letter, wire, number);
    }
  }
}
