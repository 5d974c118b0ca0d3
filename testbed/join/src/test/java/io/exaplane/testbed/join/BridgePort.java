// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import java.io.IOException;

/**
 * A port of the bridge on which the API is. The host has the address fd00:e:1::1NN, and a /64 is
 * routed to it, which leads nowhere yet.
 *
 * @param number 1..99
 */
record BridgePort(int number) implements Uplink {
  @Override
  public void plug(String namespace) throws IOException {
    unplug();
    Shell.must("ip", "link", "add", link(), "type", "veth", "peer", "eth0", "netns", namespace);
    Shell.must("ip", "link", "set", link(), "master", Net.BRIDGE, "up");
  }

  @Override
  public void configure(Host host) throws IOException {
    host.inside("ip", "link", "set", "eth0", "up");
    host.inside("ip", "-6", "address", "add", address() + "/64", "dev", "eth0", "nodad");
    host.inside("ip", "-6", "route", "add", "default", "via", Net.API);
    host.inside("ip", "-6", "route", "add", "unreachable", prefix());
    Shell.must("ip", "-6", "route", "replace", prefix(), "via", address(), "dev", Net.BRIDGE);
  }

  @Override
  public void unplug() throws IOException {
    Shell.may("ip", "link", "delete", link());
  }

  @Override
  public String address() {
    return Net.API + "%02d".formatted(number);
  }

  @Override
  public String prefix() {
    return "fd00:e:1%02d::/64".formatted(number);
  }

  private String link() {
    return "exj-v" + number;
  }
}
