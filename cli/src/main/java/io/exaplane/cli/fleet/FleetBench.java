// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

import io.exaplane.cli.measure.MeasurementException;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One measurement of a fleet, from its creation to its deletion. {@link #run} is called once;
 * {@link #remove} from any thread, also meanwhile.
 */
public final class FleetBench {
  private static final long LOOK_MS = 500;

  /** Between two lines about something that takes long. */
  private static final Duration TOLD_EVERY = Duration.ofSeconds(15);

  /** Changes after the leader's end come as fast as the API takes them. */
  private static final double AT_ONCE = 1e6;

  private final KubernetesClient client;
  private final Settings settings;
  private final Consumer<String> tell;
  private final Fleet fleet;
  private final Removal removal;
  private final Map<String, OperatorFigures> operator = new LinkedHashMap<>();
  private boolean isRemoved;

  /**
   * What is measured.
   *
   * @param allowPods without quotas that keep pods away
   * @param settle from the last object to the beginning of the idle time
   * @param patch JSON merge patch of the measured change
   * @param changesPerSecond at most
   * @param killLeader whether the operator's leader is killed
   * @param metrics the operator's page, if its figures are wanted
   * @param patience for each part
   */
  public record Settings(
      FleetNames names,
      String kubernetesVersion,
      boolean allowPods,
      Duration settle,
      Duration idle,
      String patch,
      double changesPerSecond,
      boolean killLeader,
      String operatorNamespace,
      Optional<URI> metrics,
      Duration patience) {}

  /** Creates nothing yet; {@code tell} takes a line about each step. */
  public FleetBench(KubernetesClient client, Settings settings, Consumer<String> tell) {
    this.client = client;
    this.settings = settings;
    this.tell = tell;
    this.fleet = new Fleet(client, settings.names());
    this.removal = new Removal(client, settings.names().prefix(), settings.names().run(), tell);
  }

  /**
   * Refuses names that exist.
   *
   * @throws MeasurementException with the names and the next action
   */
  public void checkNames() {
    Set<String> taken = removal.taken(fleet.namespaces());
    if (!taken.isEmpty()) {
      throw new MeasurementException(
          "--namespace-prefix: namespace %s exists, and the command touches no namespace of another owner; set another prefix, or run 'exactl bench fleet --delete-only --namespace-prefix %s' if an earlier run left it"
              .formatted(taken.iterator().next(), settings.names().prefix()));
    }
  }

  /** Creates, measures, and leaves the deletion to {@link #remove}. */
  public FleetReport run() {
    figures("before");
    double createdSeconds = create();
    Times firstCondition = Times.of(fleet.toFirstCondition());
    Times allObjects = Times.of(fleet.toLastObject());
    Map<String, Times> byKind = new LinkedHashMap<>();
    fleet.toLastObjectOfKind().forEach((kind, times) -> byKind.put(kind.kind(), Times.of(times)));
    figures("created");
    FleetReport.Idle idle = idle();
    figures("idle");
    FleetReport.Change change = change();
    figures("changed");
    FleetReport.Takeover takeover = settings.killLeader() ? takeover() : null;
    return new FleetReport(
        settings.names().count(),
        settings.kubernetesVersion(),
        createdSeconds,
        Times.of(fleet.progress().requests()),
        firstCondition,
        allObjects,
        byKind,
        idle,
        change,
        takeover,
        operator.isEmpty() ? null : operator,
        null);
  }

  private double create() {
    tell.accept("creating %d namespaces".formatted(settings.names().count()));
    fleet.createNamespaces();
    if (!settings.allowPods()) {
      tell.accept("creating quotas that admit no pods");
      NoPods.enforce(client, settings.names(), settings.patience());
    }
    tell.accept("creating %d ControlPlanes".formatted(settings.names().count()));
    long began = System.nanoTime();
    fleet.create(settings.kubernetesVersion());
    until(
        () -> "%d of %d have a condition".formatted(fleet.told(), settings.names().count()),
        fleet::isTold);
    until(() -> "all have a condition; their objects follow", fleet::isMade);
    return (System.nanoTime() - began) / 1e9;
  }

  private FleetReport.Idle idle() {
    tell.accept(
        "waiting for %d s, until messages with a time limit are written"
            .formatted(settings.settle().toSeconds()));
    pause(settings.settle());
    tell.accept("counting writes for %d s".formatted(settings.idle().toSeconds()));
    Written written = new Written(client, settings.names());
    long began = System.nanoTime();
    pause(settings.idle());
    Map<String, Integer> byWriter = written.byWriter();
    double seconds = (System.nanoTime() - began) / 1e9;
    int ours =
        byWriter.entrySet().stream()
            .filter(each -> !Written.isOfKubernetes(each.getKey()))
            .mapToInt(Map.Entry::getValue)
            .sum();
    return new FleetReport.Idle(seconds, ours * 60 / seconds, byWriter);
  }

  private FleetReport.Change change() {
    tell.accept("changing each ControlPlane");
    List<Duration> times =
        new Changes(fleet, settings.patience())
            .run(settings.patch(), 1, settings.changesPerSecond(), fleet.namespaces());
    return new FleetReport.Change(settings.patch(), settings.changesPerSecond(), Times.of(times));
  }

  private FleetReport.Takeover takeover() {
    Leader leader = new Leader(client, settings.operatorNamespace());
    String killed = leader.kill();
    long began = System.nanoTime();
    tell.accept("killed pod %s; changing each ControlPlane".formatted(killed));
    double[] leads = new double[1];
    Thread watch =
        Thread.ofVirtual()
            .start(
                () -> {
                  until(() -> "waiting for the next leader", () -> isAnother(leader, killed));
                  leads[0] = (System.nanoTime() - began) / 1e9;
                });
    new Changes(fleet, settings.patience()).run(Changes.SMALLEST, 2, AT_ONCE, fleet.namespaces());
    double all = (System.nanoTime() - began) / 1e9;
    try {
      watch.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    return new FleetReport.Takeover(killed, leader.pod(), leads[0], all);
  }

  private static boolean isAnother(Leader leader, String killed) {
    String now = leader.pod();
    return !now.isEmpty() && !now.equals(killed);
  }

  private void figures(String part) {
    settings.metrics().ifPresent(page -> operator.put(part, OperatorFigures.read(page)));
  }

  private void until(Supplier<String> what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + settings.patience().toNanos();
    long told = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new MeasurementException(
            "after %d s: %s; check the operator's log, or set a longer --timeout"
                .formatted(settings.patience().toSeconds(), what.get()));
      }
      if (System.nanoTime() - told > TOLD_EVERY.toNanos()) {
        told = System.nanoTime();
        tell.accept(what.get());
      }
      pause(Duration.ofMillis(LOOK_MS));
    }
  }

  private static void pause(Duration length) {
    try {
      TimeUnit.NANOSECONDS.sleep(length.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Ends the measurement, and deletes what was created; the second call does nothing.
   *
   * @return the seconds that the control planes took
   * @throws MeasurementException if something remains, with the next action
   */
  public synchronized double remove() {
    if (isRemoved) {
      return 0;
    }
    fleet.close();
    double seconds = removal.run(settings.patience());
    isRemoved = true;
    return seconds;
  }
}
