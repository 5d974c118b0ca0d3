// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.grpc.ParentLink;
import io.exaplane.scheduler.shard.ShardMember;
import io.exaplane.scheduler.tree.Down;
import io.exaplane.scheduler.tree.Up;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/** A process that has some of the nodes. */
final class ShardProcess implements TreeProcess {
  private final String name;
  private final ParentLink link;
  private volatile ShardMember current;

  /** Under one of the parents. */
  ShardProcess(TreeOptions.Place place) {
    name = place.name();
    link = new ParentLink(place.parents(), place.tls(), this::begin);
  }

  private ParentLink.Child begin(Consumer<Up> above) {
    long token = ThreadLocalRandom.current().nextLong();
    ShardMember shard =
        new ShardMember(name, token, ShardProcess::profiles, above, System::nanoTime);
    return new ParentLink.Child() {
      @Override
      public void introduce() {
        current = shard;
        shard.introduce();
      }

      @Override
      public String down(Down message) {
        return shard.down(message);
      }

      @Override
      public long epoch() {
        return shard.epoch();
      }

      @Override
      public void ended() {
        current = null;
      }
    };
  }

  private static List<Profile> profiles(Down.Rules rules) {
    Version version = ServerVersion.named(rules.version());
    return SchedulerConfig.read(
            rules.configuration(), "the root's configuration", version, SelectorCompiler.NONE)
        .profiles();
  }

  @Override
  public String role() {
    return "shard";
  }

  @Override
  public boolean isMember() {
    ShardMember now = current;
    return now != null && now.isMember();
  }

  @Override
  public void run() {
    link.run();
  }

  @Override
  public void close() {
    link.stop();
  }
}
