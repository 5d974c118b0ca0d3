// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.shard;

import io.exaplane.scheduler.engine.placement.BestOfCell;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.tree.Down;
import io.exaplane.scheduler.tree.TreeCodec;
import io.exaplane.scheduler.tree.Up;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * A shard as a member of the tree, for as long as it has a way up: it does what it is told and
 * answers what it is asked, in the order in which that comes. It has nothing to commit, so one that
 * stood still for a while can do no harm. One thread, but for {@link #isMember}, which is for any.
 */
public final class ShardMember {
  private final Up.Hello hello;
  private final Consumer<Up> above;
  private final Function<Down.Rules, List<Profile>> profiles;
  private final LongSupplier nanoTime;
  private volatile Shard shard;
  private int number;
  private volatile long epoch;

  /**
   * One that nobody above knows yet.
   *
   * @param token that no other process, and no other attempt of this one, has
   * @param profiles reads rules
   * @param above takes what goes up; must not wait
   */
  public ShardMember(
      String name,
      long token,
      Function<Down.Rules, List<Profile>> profiles,
      Consumer<Up> above,
      LongSupplier nanoTime) {
    this.above = above;
    this.profiles = profiles;
    this.nanoTime = nanoTime;
    hello = new Up.Hello(token, Up.Kind.SHARD, name, TreeCodec.FINGERPRINT, List.of());
  }

  /** Says who it is. */
  public void introduce() {
    above.accept(hello);
  }

  /** Whether it is a member. */
  public boolean isMember() {
    return shard != null;
  }

  /** The root's; 0 before it is known. */
  public long epoch() {
    return epoch;
  }

  /** How many nodes it has. */
  public int nodes() {
    return shard == null ? 0 : shard.nodes();
  }

  /**
   * Something came from above.
   *
   * @return why it is no member any more, or null
   * @throws IllegalArgumentException if it makes no sense; what it knows is worth nothing then
   */
  public String down(Down message) {
    switch (message) {
      case Down.Welcome welcome when welcome.token() == hello.token() -> {
        shard = new Shard(profiles.apply(welcome.rules()), welcome.rules().seed());
        number = welcome.number();
        epoch = welcome.epoch();
      }
      case Down.Changes changes when isMember() && changes.to() == number ->
          changes.changes().forEach(shard::apply);
      case Down.Ask ask when isMember() -> answer(ask);
      case Down.Ping ping when isMember() ->
          above.accept(new Up.Pong(ping.id(), number, shard.nodes()));
      case Down.Drop drop when isMember() && drop.number() == number -> {
        shard = null;
        return drop.why();
      }
      default -> {
        // For another one.
      }
    }
    return null;
  }

  private void answer(Down.Ask ask) {
    long start = nanoTime.getAsLong();
    List<BestOfCell> best = shard.best(ask.podClass(), ask.most());
    long micros = TimeUnit.NANOSECONDS.toMicros(nanoTime.getAsLong() - start);
    int took = (int) Math.min(micros, Integer.MAX_VALUE);
    above.accept(new Up.Answer(ask.id(), best, List.of(new Up.Took(number, took))));
  }
}
