// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many watches of a few objects, which are written at a rate, and the time from a write's request
 * to its event at each watch. All clocks are this process's own.
 */
public final class WatchesLoad extends Load {
  private static final String WRITTEN = "exaplane.io/bench-written";

  /** Writes without an answer; above, writes wait. */
  private static final int MOST_UNDER_WAY = 1_000;

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** After the last write, for events that are under way. */
  private static final Duration LAST_EVENTS = Duration.ofSeconds(30);

  private final Settings settings;
  private final Resource resource;
  private final List<WatchLoop> watches = new ArrayList<>();
  private final Times untilEvent = new Times();
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong unanswered = new AtomicLong();
  private final AtomicLong underWay = new AtomicLong();
  private final AtomicLong seen = new AtomicLong();
  private final AtomicInteger open = new AtomicInteger();
  private Pace writes;
  private Pace opening;
  private String namespace = "";
  private boolean wasHeld;
  private volatile long heldBack;

  /**
   * What is watched.
   *
   * @param perSecond writes, of all objects together
   * @param opened watches per second, at the beginning
   * @param resource configmaps, secrets or leases
   * @param bytes of each object's data, where the resource has data
   */
  public record Settings(
      int count,
      double perSecond,
      Duration duration,
      double opened,
      String resource,
      int objects,
      int bytes,
      boolean watchList) {}

  public WatchesLoad(Settings settings) {
    this.settings = settings;
    this.resource =
        switch (settings.resource()) {
          case "secrets" -> Resource.SECRETS;
          case "leases" -> Resource.LEASES;
          default -> Resource.CONFIG_MAPS;
        };
  }

  @Override
  public String name() {
    return "watches";
  }

  @Override
  public String plan() {
    return "hold %,d watches of %d %s in a new namespace, and send %s writes/s for %d s"
        .formatted(
            settings.count(),
            settings.objects(),
            resource.plural(),
            settings.perSecond(),
            settings.duration().toSeconds());
  }

  @Override
  Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("count", settings.count());
    all.put("rate", settings.perSecond());
    all.put("duration", settings.duration().toString());
    all.put("open-rate", settings.opened());
    all.put("resource", resource.plural());
    all.put("objects", settings.objects());
    all.put("bytes", settings.bytes());
    all.put("watch-list", settings.watchList());
    return all;
  }

  @Override
  long watches() {
    return settings.count();
  }

  @Override
  List<Resource> resources() {
    // Objects of other resources, which an earlier run left, go with their namespace.
    return List.of(resource, Resource.NAMESPACES);
  }

  @Override
  void run(Run run) {
    run.begin("prepare");
    namespace = Namespaces.create(run, name(), 1).getFirst();
    for (int i = 0; i < settings.objects(); i++) {
      run.must(
          Call.create(
              resource.plural(),
              resource.in(namespace),
              Call.JSON,
              object(Labels.name(run.id(), i), Labels.of(name(), run.id()))));
    }
    run.begin("open");
    open(run);
    run.begin("write");
    writes =
        new Pace(
            run.timer(),
            settings.perSecond(),
            Integer.MAX_VALUE,
            this::mayWrite,
            i -> write(run, i));
    long began = run.timer().nanos();
    run.timer().execute(writes::start);
    run.pause(settings.duration());
    run.onTimer(
        () -> {
          writes.stop();
          double due = (run.timer().nanos() - began) / 1e9 * settings.perSecond();
          heldBack = wasHeld ? Math.max(0, (long) due - begun.get()) : 0;
        });
    run.until(LAST_EVENTS, () -> underWay.get() == 0 && seen.get() >= expected());
  }

  private boolean mayWrite() {
    boolean may = underWay.get() < MOST_UNDER_WAY;
    wasHeld |= !may;
    return may;
  }

  private long expected() {
    return written.get() * settings.count();
  }

  private void open(Run run) {
    WatchLoop.Target target =
        new WatchLoop.Target(
            resource.plural(),
            resource.in(namespace) + "?labelSelector=" + Labels.selector(name(), run.id()),
            "",
            Duration.ofMinutes(5));
    for (int i = 0; i < settings.count(); i++) {
      watches.add(
          new WatchLoop(
              run.api(),
              run.timer(),
              run.books(),
              run.random(),
              target,
              settings.watchList(),
              (type, object) -> event(run.timer(), type, object)));
    }
    opening =
        new Pace(
            run.timer(),
            settings.opened(),
            settings.count(),
            () -> true,
            number -> watches.get(number).start());
    run.timer().execute(opening::start);
    run.await(
        PATIENCE.plusSeconds((long) (settings.count() / settings.opened())),
        "not all watches are open",
        () -> {
          open.set((int) watches.stream().filter(WatchLoop::isOpen).count());
          return open.get() == settings.count();
        });
  }

  private byte[] object(String name, Map<String, String> labels) {
    Map<String, Object> all = new LinkedHashMap<>();
    boolean isLease = resource == Resource.LEASES;
    all.put("apiVersion", isLease ? "coordination.k8s.io/v1" : "v1");
    all.put(
        "kind",
        switch (resource) {
          case LEASES -> "Lease";
          case SECRETS -> "Secret";
          default -> "ConfigMap";
        });
    all.put("metadata", Map.of("name", name, "labels", labels));
    if (!isLease && settings.bytes() > 0) {
      String field = resource == Resource.SECRETS ? "stringData" : "data";
      all.put(field, Map.of("padding", "x".repeat(settings.bytes())));
    }
    return NodeBody.json(all);
  }

  private void write(Run run, int number) {
    String name = Labels.name(run.id(), number % settings.objects());
    Map<String, String> annotation = Map.of(WRITTEN, Long.toString(run.timer().nanos()));
    underWay.incrementAndGet();
    begun.incrementAndGet();
    run.api()
        .send(
            Call.patch(
                resource.plural(),
                resource.in(namespace) + "/" + name,
                Call.MERGE_PATCH,
                NodeBody.json(Map.of("metadata", Map.of("annotations", annotation)))),
            answer -> {
              if (answer.isOk()) {
                written.incrementAndGet();
              } else if (answer.status() == Answer.NONE) {
                unanswered.incrementAndGet();
              }
              underWay.decrementAndGet();
            });
  }

  private void event(Timer timer, String type, byte[] object) {
    if (!type.equals("MODIFIED")) {
      return;
    }
    String since = Kube.annotation(object, WRITTEN);
    if (!since.isEmpty()) {
      untilEvent.add(timer.nanos() - Long.parseLong(since));
      seen.incrementAndGet();
    }
  }

  @Override
  void stop(Run run) {
    run.timer()
        .execute(
            () -> {
              if (opening != null) {
                opening.stop();
              }
              if (writes != null) {
                writes.stop();
              }
              watches.forEach(WatchLoop::stop);
            });
  }

  @Override
  String progress() {
    return "%d of %d watches open, %d writes, %d events"
        .formatted(open.get(), settings.count(), written.get(), seen.get());
  }

  @Override
  Map<String, Latency> latencies() {
    return Map.of("fromWriteToEvent", untilEvent.latency());
  }

  @Override
  Map<String, Object> figures() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("writes", written.get());
    all.put("writesHeldBack", heldBack);
    all.put("writesWithoutAnswer", unanswered.get());
    all.put("eventsExpected", expected());
    all.put("events", seen.get());
    return all;
  }
}
