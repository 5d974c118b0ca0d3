// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.relay;

import io.exaplane.scheduler.tree.Down;
import io.exaplane.scheduler.tree.TreeCodec;
import io.exaplane.scheduler.tree.Up;
import java.util.List;
import java.util.function.Consumer;

/**
 * A process between others and the root, for as long as it has a way up: it is a member itself, and
 * has a {@link Hub} for those below. Any thread, one at a time.
 */
public final class Relay {
  private static final int NOBODY = -1;

  private final Up.Hello hello;
  private final Consumer<Up> above;
  private final Hub hub;
  private int number = NOBODY;
  private long epoch;

  /**
   * One that nobody above knows yet.
   *
   * @param token that no other process, and no other attempt of this one, has
   * @param above takes what goes up; must not wait
   */
  public Relay(String name, long token, Consumer<Up> above) {
    this.above = above;
    hello = new Up.Hello(token, Up.Kind.RELAY, name, TreeCodec.FINGERPRINT, List.of());
    hub =
        new Hub(
            message ->
                above.accept(message instanceof Up.Hello below ? below.through(name) : message));
  }

  /** Says who it is. */
  public void introduce() {
    above.accept(hello);
  }

  /** Where those below come together. */
  public Hub hub() {
    return hub;
  }

  /** Whether it is a member, so that others may come to it. */
  public synchronized boolean isMember() {
    return number != NOBODY;
  }

  /** The root's; 0 before it is known. */
  public synchronized long epoch() {
    return epoch;
  }

  /**
   * Something came from above.
   *
   * @return why it is no member any more, or null
   */
  public synchronized String down(Down message) {
    switch (message) {
      case Down.Welcome welcome when welcome.token() == hello.token() -> {
        number = welcome.number();
        epoch = welcome.epoch();
      }
      case Down.Drop drop when drop.number() == number -> {
        number = NOBODY;
        hub.cutAll(drop.why());
        return drop.why();
      }
      case Down.Ping ping -> {
        if (number != NOBODY) {
          above.accept(new Up.Pong(ping.id(), number, 0));
        }
        hub.down(ping);
      }
      default -> hub.down(message);
    }
    return null;
  }
}
