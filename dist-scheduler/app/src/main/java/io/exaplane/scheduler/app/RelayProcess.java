// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import io.exaplane.scheduler.grpc.ParentLink;
import io.exaplane.scheduler.grpc.TreeServer;
import io.exaplane.scheduler.relay.Hub;
import io.exaplane.scheduler.relay.Relay;
import io.exaplane.scheduler.tree.Down;
import io.exaplane.scheduler.tree.Up;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/** A process between shards and the root. */
final class RelayProcess implements TreeProcess {
  private final String name;
  private final ParentLink link;
  private final TreeServer server;
  private volatile Relay relay;

  /**
   * Under one of the parents.
   *
   * @throws IOException if it cannot listen where it should
   */
  RelayProcess(TreeOptions.Place place) throws IOException {
    name = place.name();
    link = new ParentLink(place.parents(), place.tls(), this::begin);
    server = new TreeServer(place.listen(), place.tls(), this::hub);
  }

  private Hub hub() {
    Relay now = relay;
    return now != null && now.isMember() ? now.hub() : null;
  }

  private ParentLink.Child begin(Consumer<Up> above) {
    Relay now = new Relay(name, ThreadLocalRandom.current().nextLong(), above);
    return new ParentLink.Child() {
      @Override
      public void introduce() {
        relay = now;
        now.introduce();
      }

      @Override
      public String down(Down message) {
        return now.down(message);
      }

      @Override
      public long epoch() {
        return now.epoch();
      }

      @Override
      public void ended() {
        relay = null;
        now.hub().cutAll("the relay left the tree");
      }
    };
  }

  @Override
  public String role() {
    return "relay";
  }

  @Override
  public boolean isMember() {
    return hub() != null;
  }

  @Override
  public void run() {
    link.run();
  }

  @Override
  public void close() {
    link.stop();
    server.close();
  }
}
