// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Leases without nodes, renewed one after the other at a rate, whatever the server can do. */
public final class LeasesLoad extends Load {
  private static final String NAMESPACE = "kube-node-lease";
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Settings settings;
  private final List<LeaseKeeper> keepers = new ArrayList<>();
  private final Deque<LeaseKeeper> waiting = new ArrayDeque<>();
  private final Times gaps = new Times();
  private final AtomicLong created = new AtomicLong();
  private Pace creations;
  private Pace renewals;
  private volatile double renewedPerSecond;

  /**
   * What is renewed.
   *
   * @param perSecond renewals, and creations before them
   * @param lease leaseDurationSeconds of each Lease
   * @param asNodes whether a renewal is sent in the name of the node that the Lease is called after
   */
  public record Settings(
      int count, double perSecond, Duration duration, Duration lease, boolean asNodes) {}

  public LeasesLoad(Settings settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return "leases";
  }

  @Override
  public String plan() {
    return "create %,d Leases in namespace %s, and send %s renewals/s for %d s"
        .formatted(
            settings.count(), NAMESPACE, settings.perSecond(), settings.duration().toSeconds());
  }

  @Override
  Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("count", settings.count());
    all.put("rate", settings.perSecond());
    all.put("duration", settings.duration().toString());
    all.put("lease-duration", settings.lease().toString());
    all.put("own-account", !settings.asNodes());
    return all;
  }

  @Override
  long watches() {
    return 0;
  }

  @Override
  String namespace() {
    return NAMESPACE;
  }

  @Override
  List<Resource> resources() {
    return List.of(Resource.LEASES);
  }

  @Override
  void run(Run run) {
    LeaseKeeper.Settings common =
        new LeaseKeeper.Settings(
            NAMESPACE,
            Labels.of(name(), run.id()),
            settings.lease(),
            KubeletTimes.DEFAULT.heartbeatTimeout(),
            settings.asNodes(),
            gaps);
    for (int i = 0; i < settings.count(); i++) {
      keepers.add(new LeaseKeeper(run.api(), run.timer(), common, Labels.name(run.id(), i)));
    }
    creations =
        new Pace(run.timer(), settings.perSecond(), settings.count(), () -> true, this::create);
    renewals =
        new Pace(
            run.timer(),
            settings.perSecond(),
            Integer.MAX_VALUE,
            () -> !waiting.isEmpty(),
            number -> renew());
    run.begin("create");
    run.timer().execute(creations::start);
    run.await(
        PATIENCE.plusSeconds((long) (settings.count() / settings.perSecond())),
        "not all Leases are created",
        () -> created.get() == settings.count());
    run.begin("renew");
    gaps.reset();
    long began = run.timer().nanos();
    run.timer().execute(renewals::start);
    run.pause(settings.duration());
    run.onTimer(
        () -> {
          renewedPerSecond = gaps.latency().count() / ((run.timer().nanos() - began) / 1e9);
          long round = (long) (settings.count() / settings.perSecond() * 1e9);
          long longest = Math.max(settings.lease().toNanos(), round);
          keepers.forEach(each -> each.bookOpenGap(longest));
        });
  }

  private void create(int number) {
    LeaseKeeper keeper = keepers.get(number);
    keeper.sync(
        () -> {
          created.incrementAndGet();
          waiting.add(keeper);
        });
  }

  /** The one that was renewed longest ago; it waits again when it is renewed. */
  private void renew() {
    LeaseKeeper keeper = waiting.remove();
    keeper.sync(() -> waiting.add(keeper));
  }

  @Override
  void stop(Run run) {
    run.timer()
        .execute(
            () -> {
              if (creations != null) {
                creations.stop();
                renewals.stop();
              }
              keepers.forEach(LeaseKeeper::stop);
            });
  }

  @Override
  String progress() {
    return "%d of %d leases".formatted(created.get(), settings.count());
  }

  @Override
  Map<String, Latency> latencies() {
    return Map.of("betweenRenewals", gaps.latency());
  }

  @Override
  Map<String, Object> figures() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("leases", created.get());
    all.put("renewalsPerSecondExpected", settings.perSecond());
    all.put("renewalsPerSecond", renewedPerSecond);
    return all;
  }
}
