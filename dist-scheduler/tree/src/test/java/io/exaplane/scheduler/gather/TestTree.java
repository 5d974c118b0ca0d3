// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.gather;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.relay.Hub;
import io.exaplane.scheduler.relay.Relay;
import io.exaplane.scheduler.shard.ShardMember;
import io.exaplane.scheduler.tree.Down;
import io.exaplane.scheduler.tree.TreeCodec;
import io.exaplane.scheduler.tree.Up;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A tree in one thread: what is sent arrives at once, every message written to bytes and read from
 * them at each step of its way.
 */
final class TestTree {
  /** In this thread an answer that does not come at once never does. */
  private static final Gatherer.Patience PATIENCE =
      new Gatherer.Patience(
          TimeUnit.MILLISECONDS.toNanos(1),
          TimeUnit.MILLISECONDS.toNanos(1),
          TimeUnit.SECONDS.toNanos(3));

  private final List<Profile> profiles;
  private final Hub hub;
  final Gatherer gatherer;
  private final List<Leaf> shards = new ArrayList<>();
  private final List<RelayLink> relays = new ArrayList<>();
  private long tokens;
  long nowNs = TimeUnit.DAYS.toNanos(1);

  /** A shard and its way up. */
  private static final class Leaf implements Hub.Branch {
    private final Hub parent;
    private ShardMember member;
    private boolean deaf;

    Leaf(Hub parent) {
      this.parent = parent;
    }

    @Override
    public void send(Down message) {
      if (!deaf) {
        member.down(overTheWire(message));
      }
    }

    @Override
    public void cut(String why) {
      deaf = true;
      parent.broken(this);
    }
  }

  private static final class RelayLink implements Hub.Branch {
    private Relay relay;
    private final Hub parent;

    RelayLink(Hub parent) {
      this.parent = parent;
    }

    @Override
    public void send(Down message) {
      relay.down(overTheWire(message));
    }

    @Override
    public void cut(String why) {
      parent.broken(this);
    }
  }

  TestTree(Cluster cluster, Profile profile, long seed) {
    profiles = List.of(profile);
    Hub[] made = new Hub[1];
    Consumer<Down> down = message -> made[0].down(message);
    Down.Rules rules = new Down.Rules("", "", seed);
    gatherer = new Gatherer(cluster, down, rules, () -> 1, PATIENCE, () -> nowNs);
    hub = new Hub(gatherer::take);
    made[0] = hub;
  }

  void addRelay() {
    RelayLink link = new RelayLink(hub);
    link.relay = new Relay("relay", ++tokens, message -> hub.up(link, overTheWire(message)));
    link.relay.introduce();
    relays.add(link);
    settle();
  }

  /**
   * A shard comes.
   *
   * @param relay below which relay; below the root if there is none with that number
   */
  void addShard(int relay) {
    Hub parent = relay >= 0 && relay < relays.size() ? relays.get(relay).relay.hub() : hub;
    Leaf leaf = new Leaf(parent);
    leaf.member =
        new ShardMember(
            "shard",
            ++tokens,
            rules -> profiles,
            up -> parent.up(leaf, overTheWire(up)),
            () -> nowNs);
    leaf.member.introduce();
    shards.add(leaf);
    settle();
  }

  /** A shard says Hello, and is gone before anybody has looked; the tree is as it was before. */
  void comesAndGoesAtOnce(int relay) {
    Hub parent = relay < relays.size() ? relays.get(relay).relay.hub() : hub;
    Leaf leaf = new Leaf(parent);
    parent.up(
        leaf, new Up.Hello(++tokens, Up.Kind.SHARD, "ghost", TreeCodec.FINGERPRINT, List.of()));
    leaf.deaf = true;
    parent.broken(leaf);
    gatherer.look();
  }

  int shards() {
    return shards.size();
  }

  /** A shard is gone; whoever was connected with it notices. */
  void loseShard(int index) {
    Leaf gone = shards.remove(index);
    gone.deaf = true;
    gone.parent.broken(gone);
    settle();
  }

  /** A shard hears nothing any more, and nobody notices. */
  void pauseShard(int index) {
    shards.get(index).deaf = true;
  }

  /** It hears again; what was sent meanwhile comes late, or never. */
  void resumeShard(int index) {
    shards.get(index).deaf = false;
  }

  /** Time passes, and everything that can be done is. */
  void settle() {
    for (int i = 0; i < 20; i++) {
      nowNs += TimeUnit.MILLISECONDS.toNanos(250);
      gatherer.look();
    }
  }

  private static Down overTheWire(Down message) {
    return TreeCodec.down(TreeCodec.encode(message));
  }

  private static Up overTheWire(Up message) {
    return TreeCodec.up(TreeCodec.encode(message));
  }
}
