// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import io.exaplane.testbed.machine.Relay;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Stands for the route's Service: an address whose new connections go to the store that is
 * selected, while established ones stay where they are. Any thread.
 */
final class Route implements AutoCloseable {
  private final AtomicReference<Store> selected;
  private final Relay relay;

  private Route(AtomicReference<Store> selected, Relay relay) {
    this.selected = selected;
    this.relay = relay;
  }

  static Route to(Store first) throws IOException {
    AtomicReference<Store> selected = new AtomicReference<>(first);
    return new Route(selected, Relay.to(InetAddress.getByName("::1"), () -> selected.get().port()));
  }

  String url() {
    return "https://[::1]:" + relay.port();
  }

  void select(Store store) {
    selected.set(store);
  }

  Store selected() {
    return selected.get();
  }

  @Override
  public void close() throws IOException {
    relay.close();
  }
}
