// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.exaplane.scheduler.cel.CelSelectors;
import io.exaplane.scheduler.commit.Committer;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.kube.Fabric8Api;
import io.exaplane.scheduler.kube.RealPace;
import io.exaplane.scheduler.lease.Standing;
import io.exaplane.scheduler.root.Durations;
import io.exaplane.scheduler.root.Root;
import io.exaplane.scheduler.root.RootConfig;
import io.exaplane.testbed.machine.Kubernetes;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** A scheduler in this process, with connections of its own. */
final class LiveScheduler {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Fabric8Api reads;
  private final Fabric8Api writes;
  private final Committer committer;
  private final Root root;
  private final Thread thread;
  private volatile boolean closed;

  LiveScheduler(Config config, RootConfig rules) {
    reads = new Fabric8Api(config, PATIENCE);
    writes = new Fabric8Api(config, PATIENCE);
    committer =
        new Committer(
            writes,
            writes,
            () -> closed ? Standing.LOST : Standing.HELD,
            Duration.ofSeconds(10),
            "tests");
    root =
        new Root(rules, reads, new RealPace(), committer, LiveScheduler::now, null, Durations.NONE);
    thread = Thread.ofPlatform().name("scheduler").start(root);
  }

  static LiveScheduler start(Config config) {
    String minor = Kubernetes.version().replaceFirst("\\.\\d+$", "");
    return new LiveScheduler(config, RootConfig.defaults(Version.of(minor), new CelSelectors()));
  }

  private static long now() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  Root root() {
    return root;
  }

  /** Ends it at once; what it was about to write is not written. */
  void stop() throws InterruptedException {
    closed = true;
    root.close();
    thread.join(TimeUnit.SECONDS.toMillis(30));
    committer.close();
    reads.close();
    writes.close();
  }
}
