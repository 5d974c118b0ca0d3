// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Pods, created at a rate; and how soon a scheduler gives them nodes. */
public final class PodsLoad extends Load {
  /** Requests without an answer; above, creations wait. */
  private static final int MOST_UNDER_WAY = 1_000;

  private static final Duration ADMISSION = Duration.ofMinutes(1);
  private static final int SPEC = 2;
  private static final int NODE_NAME = 10;

  private final Settings settings;
  private final AtomicInteger created = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger scheduled = new AtomicInteger();
  private final Map<String, Long> asked = new ConcurrentHashMap<>();
  private final Times untilScheduled = new Times();
  private Pace pace;
  private WatchLoop watch;
  private List<String> namespaces = List.of();

  /**
   * What is created.
   *
   * @param duration how long to wait for the scheduler after the last creation; zero for not at all
   * @param shape of each pod
   */
  public record Settings(
      int count, double perSecond, int namespaces, Duration duration, PodBody.Shape shape) {}

  public PodsLoad(Settings settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return "pods";
  }

  @Override
  public String plan() {
    return "create %,d pods in %d new namespaces at %s/s, %s"
        .formatted(
            settings.count(),
            settings.namespaces(),
            settings.perSecond(),
            settings.shape().anyNode()
                ? "on ANY node that has room"
                : "on nodes of 'exactl bench nodes' only");
  }

  @Override
  Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("count", settings.count());
    all.put("rate", settings.perSecond());
    all.put("namespaces", settings.namespaces());
    all.put("duration", settings.duration().toString());
    all.put("shape", settings.shape());
    return all;
  }

  @Override
  long watches() {
    return 1;
  }

  @Override
  List<Resource> resources() {
    return List.of(Resource.PODS, Resource.NAMESPACES);
  }

  @Override
  void run(Run run) {
    run.begin("prepare");
    namespaces = Namespaces.create(run, name(), settings.namespaces());
    for (String namespace : namespaces) {
      run.await(
          ADMISSION,
          "namespace %s admits no pods".formatted(namespace),
          () -> run.ask(create(run, namespace, "dry-run", "?dryRun=All")).isOk());
    }
    watch =
        new WatchLoop(
            run.api(),
            run.timer(),
            run.books(),
            run.random(),
            new WatchLoop.Target(
                Resource.PODS.plural(),
                Resource.PODS.all() + "?labelSelector=" + Labels.selector(name(), run.id()),
                "",
                Duration.ofMinutes(5)),
            false,
            (type, object) -> seen(run.timer(), object));
    run.timer().execute(watch::start);
    run.await(ADMISSION, "pods cannot be watched", watch::isOpen);
    pace =
        new Pace(
            run.timer(),
            settings.perSecond(),
            settings.count(),
            () -> underWay.get() < MOST_UNDER_WAY,
            number -> create(run, number));
    run.begin("create");
    run.timer().execute(pace::start);
    run.await(
        Duration.ofMinutes(10).plusSeconds((long) (settings.count() / settings.perSecond())),
        "not all pods are created",
        () -> created.get() + failed.get() == settings.count());
    if (!settings.duration().isZero()) {
      run.begin("schedule");
      run.until(settings.duration(), () -> scheduled.get() >= created.get());
    }
  }

  private Call create(Run run, String namespace, String name, String query) {
    return Call.create(
        Resource.PODS.plural(),
        Resource.PODS.in(namespace) + query,
        Call.JSON,
        PodBody.of(name, Labels.of(name(), run.id()), settings.shape()));
  }

  private void create(Run run, int number) {
    String namespace = namespaces.get(number % namespaces.size());
    String pod = Labels.name(run.id(), number);
    asked.put(pod, run.timer().nanos());
    underWay.incrementAndGet();
    run.api()
        .send(
            create(run, namespace, pod, ""),
            answer -> {
              underWay.decrementAndGet();
              (answer.isOk() ? created : failed).incrementAndGet();
            });
  }

  private void seen(Timer timer, byte[] pod) {
    if (Kube.field(Kube.field(pod, SPEC), NODE_NAME).length == 0) {
      return;
    }
    Long since = asked.remove(Kube.meta(pod).name());
    if (since != null) {
      untilScheduled.add(timer.nanos() - since);
      scheduled.incrementAndGet();
    }
  }

  @Override
  void stop(Run run) {
    run.timer()
        .execute(
            () -> {
              if (pace != null) {
                pace.stop();
              }
              if (watch != null) {
                watch.stop();
              }
            });
  }

  @Override
  String progress() {
    return "%d of %d pods, %d scheduled, %d failed"
        .formatted(created.get(), settings.count(), scheduled.get(), failed.get());
  }

  @Override
  Map<String, Latency> latencies() {
    return Map.of("untilScheduled", untilScheduled.latency());
  }

  @Override
  Map<String, Object> figures() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("created", created.get());
    all.put("failed", failed.get());
    all.put("scheduled", scheduled.get());
    return all;
  }
}
