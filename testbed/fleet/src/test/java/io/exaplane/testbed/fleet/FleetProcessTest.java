// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.cli.fleet.Fleet;
import io.exaplane.cli.fleet.FleetNames;
import io.exaplane.cli.fleet.Times;
import io.exaplane.testbed.fleet.OperatorProcess.Use;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many control planes without room for their pods, and the operator as it is shipped, but for
 * Java's second compiler where a hundred are few enough for the first one: it lives, takes no more
 * threads and descriptors than with a few, and is quiet in the end; when it is killed a standby
 * goes on. A hundred are told something, and have all objects, in the times that issue 28 demands;
 * of a thousand these times are reported, since the machine decides them as well.
 */
class FleetProcessTest {
  private static final String LEADER = "operator-a";
  private static final String STANDBY = "operator-b";
  private static final int FEW = 10;

  private static final int HUNDRED = 100;

  /** Of so many control planes one is cut off. */
  private static final int CUT_OFF = 20;

  /** Threads come and go with work; more than a few are those of control planes. */
  private static final int MORE_THREADS = 12;

  private static final Duration IDLE = Duration.ofSeconds(3);

  /** Connections to the management API: one for each of the threads that write, which rest. */
  private static final int MORE_DESCRIPTORS = 40;

  private static final int MANY_MORE = 1_000;

  /** What is left of the heap for what comes and goes. */
  private static final double KEPT = 0.8;

  /** From apply to the first condition, p99 of a hundred. */
  private static final Duration MOST_TO_CONDITION = Duration.ofSeconds(30);

  /** From apply to the last object, p99 of a hundred. */
  private static final Duration MOST_TO_OBJECTS = Duration.ofMinutes(5);

  /** Warnings of control planes whose only node is cordoned; the first one after a long time. */
  private static final Set<String> OF_NO_ROOM =
      Set.of(Reason.ProgressDeadlineExceeded.name(), Reason.LargerThanAnyNode.name());

  @TempDir private Path folder;

  @Test
  void hundredAreToldSoonAndNothingIsWrittenAfterwards() throws Exception {
    run(HUNDRED, new Patience(Duration.ofMinutes(15), Duration.ofSeconds(20), Duration.ZERO));
  }

  @Test
  @Tag("long")
  void aThousandFitTheShippedMemory() throws Exception {
    run(
        Integer.getInteger("fleet.count", MANY_MORE),
        new Patience(
            Duration.ofMinutes(60),
            Duration.ofMinutes(2),
            Duration.ofSeconds(Integer.getInteger("fleet.idleSeconds", 300))));
  }

  /**
   * How long is waited.
   *
   * @param most for what must come
   * @param interval after which the operator looks at each object again
   * @param idle in which nothing may be written, after which each was looked at again
   */
  private record Patience(Duration most, Duration interval, Duration idle) {
    boolean isLong() {
      return idle.isPositive();
    }
  }

  private void run(int count, Patience patience) throws Exception {
    long limit = Long.getLong("fleet.limitBytes", Management.shippedLimitBytes());
    try (Management cluster = Management.start(folder);
        Fleet few = new Fleet(cluster.client(), names(0, FEW));
        Fleet many = new Fleet(cluster.client(), names(FEW, count - FEW))) {
      final Use before;
      try (OperatorProcess operator = operator(cluster, limit, patience)) {
        Watch watch = new Watch(cluster, operator, patience.most());
        create(few);
        watch.settle(few);
        warnsOfNothing(cluster);
        tellsWhyNoPodRuns(cluster, watch);
        before = report(FEW + " control planes", operator);
        double busyness = Machine.busyness();
        create(many);
        watch.settle(many);
        Use full = report(count + " control planes", operator);
        timesAreKept(many, patience, busyness);
        isFlat(watch, before, operator);
        fits(before, full, count, operator.mostHeapMib());
        withstands(cluster, watch, count + count / CUT_OFF);
        new CutOff(cluster, watch, count, count / CUT_OFF)
            .delaysNobody(many, names(FEW, count - FEW), patience.most());
        report("after " + count / CUT_OFF + " were cut off", operator);
        new ExactlBench(cluster).measuresAndLeavesNothing();
        watch.quiet(count, patience.idle());
        try (OperatorProcess standby =
            OperatorProcess.start(
                STANDBY, folder, cluster.standbyKubeconfig(), limit, patience.interval())) {
          takesOver(cluster, operator, standby, count, patience);
          report(count + " control planes, of the standby", standby);
          // An operator that began has threads that end after a while, with ten as with all.
          Watch next = new Watch(cluster, standby, patience.most());
          isFlat(next, before, standby);
          report("a while later", standby);
          few.delete();
          many.delete();
          next.until("all are gone", () -> few.left() + many.left() == 0);
          report("all deleted again", standby);
          // One with a pass under way keeps the Lease until its end.
          next.quiet(0, IDLE);
          standby.stop();
          assertThat(cluster.leader())
              .as("the Lease, which a standby need not wait for; %s", standby.lastWords())
              .isEmpty();
        }
      }
    }
  }

  /** What others do to a control plane's objects and namespace stops nothing else. */
  private void withstands(Management cluster, Watch watch, int free) throws Exception {
    Iterator<String> few = names(0, FEW).namespaces().iterator();
    String whole = few.next();
    try (Obstacles obstacles = new Obstacles(cluster, watch, folder)) {
      obstacles.prepare();
      LostServices services = new LostServices(cluster, watch);
      services.comeBackWithTheirAddresses(whole);
      services.tellOfAnAddressThatIsTaken(few.next());
      obstacles.place();
      new RefusedWrites(cluster, watch, free).stopNothingElse(whole);
      obstacles.areTold();
    }
  }

  private static FleetNames names(int first, int count) {
    return new FleetNames("fleet", "test", first, count);
  }

  private static void create(Fleet fleet) {
    fleet.createNamespaces();
    fleet.create(Kubernetes.version());
  }

  /** It has all that there is before it leads, writes nothing, and is there at once. */
  private static void takesOver(
      Management cluster,
      OperatorProcess leader,
      OperatorProcess standby,
      int count,
      Patience patience)
      throws Exception {
    Watch watch = new Watch(cluster, standby, patience.most());
    watch.until("the standby is ready", () -> !standby.readyAs().isEmpty());
    if (patience.isLong()) {
      // As one that has stood by for some minutes: it has rehearsed a pass of each.
      watch.until("the standby is warm", () -> standby.says("this standby is warm"));
    }
    long looks = standby.looks();
    // On a busy machine, a leader can lose its Lease at any time.
    if (cluster.leader().equals(LEADER)) {
      assertThat(looks).as("looks of the standby").isZero();
    }
    int before = cluster.auditLog().count();
    long killed = System.nanoTime();
    leader.close();
    watch.until("it has each", () -> standby.looks() >= count);
    System.out.printf(
        "leader killed: the standby has looked at %d after %.1f s (wanted of 1,000: 30 s)%n",
        count, (System.nanoTime() - killed) / 1e9);
    watch.until("it says that it leads", () -> standby.readyAs().equals("leader"));
    watch.writesNothing(before, count);
    assertThat(cluster.auditLog().of(Management.STANDBY_UID)).as("its writes").isEmpty();
  }

  private OperatorProcess operator(Management cluster, long limitBytes, Patience patience)
      throws Exception {
    return OperatorProcess.start(
        LEADER, folder, cluster.operatorKubeconfig(), limitBytes, patience.interval());
  }

  private static Use report(String when, OperatorProcess operator) throws Exception {
    Use use = operator.use();
    System.out.printf(
        "%s %s: %s, at most %d MiB of %d, Lease lost %d times%n",
        LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS),
        when,
        use,
        operator.peakMib(),
        operator.limitMib(),
        operator.restarts());
    return use;
  }

  /**
   * Of a hundred, as issue 28 demands; a thousand are reported.
   *
   * @param busyness of the machine by what others did before the fleet was applied
   */
  private static void timesAreKept(Fleet fleet, Patience patience, double busyness) {
    double first = Times.of(fleet.toFirstCondition()).p99();
    double last = Times.of(fleet.toLastObject()).p99();
    System.out.printf(
        "first condition p99 %.1f s, last object p99 %.1f s (wanted of 100: %d s, %d s; busyness %.1f)%n",
        first, last, MOST_TO_CONDITION.toSeconds(), MOST_TO_OBJECTS.toSeconds(), busyness);
    if (!patience.isLong()) {
      assertThat(first)
          .as("p99 to the first condition, s")
          .isLessThanOrEqualTo(busyness * MOST_TO_CONDITION.toSeconds());
      assertThat(last)
          .as("p99 to the last object, s")
          .isLessThanOrEqualTo(busyness * MOST_TO_OBJECTS.toSeconds());
    }
  }

  /** Line 34: the only node is cordoned, and conditions have kube-scheduler's own words. */
  static void tellsWhyNoPodRuns(Management cluster, Watch watch) throws InterruptedException {
    for (String namespace : names(0, FEW).namespaces()) {
      watch.until(
          "the stores and the control plane in %s tell why no pod runs".formatted(namespace),
          () ->
              cluster
                      .client()
                      .resources(ControlPlane.class)
                      .inNamespace(namespace)
                      .list()
                      .getItems()
                      .stream()
                      .allMatch(
                          each ->
                              each.getStatus() != null
                                  && tellsOfTheNode(each.getStatus().conditions()))
                  && cluster
                      .client()
                      .resources(StoreShard.class)
                      .inNamespace(namespace)
                      .list()
                      .getItems()
                      .stream()
                      .allMatch(
                          each ->
                              each.getStatus() != null
                                  && tellsOfTheNode(each.getStatus().conditions())));
    }
  }

  private static boolean tellsOfTheNode(List<Condition> conditions) {
    return conditions.stream()
        .map(Condition::message)
        .anyMatch(
            words ->
                words.contains("no node accepts the pod (Unschedulable)")
                    && words.contains("0/1 nodes are available"));
  }

  /** Line 39: a creation that goes on, or waits for room, warns of nothing until its time is up. */
  static void warnsOfNothing(Management cluster) {
    for (String namespace : names(0, FEW).namespaces()) {
      assertThat(cluster.client().v1().events().inNamespace(namespace).list().getItems())
          .as("the operator's Events in %s", namespace)
          .filteredOn(event -> "exaplane-operator".equals(event.getReportingComponent()))
          .isNotEmpty()
          .filteredOn(event -> "Warning".equals(event.getType()))
          .filteredOn(event -> !OF_NO_ROOM.contains(event.getReason()))
          .extracting(event -> event.getReason() + ": " + event.getMessage())
          .isEmpty();
    }
  }

  /** What comes with work goes after it, and later on a busy machine. */
  private static void isFlat(Watch watch, Use before, OperatorProcess operator)
      throws InterruptedException {
    int threads = before.threads() + MORE_THREADS;
    int descriptors = before.descriptors() + MORE_DESCRIPTORS;
    watch.until(
        "at most %d threads and %d descriptors".formatted(threads, descriptors),
        () -> operator.usesAtMost(threads, descriptors));
  }

  /** By what each takes of the heap a thousand fit. */
  private static void fits(Use before, Use after, int count, long mostHeapMib) {
    double eachMib = (after.heapMib() - before.heapMib()) / (count - FEW);
    double thousandMib = before.heapMib() + eachMib * (MANY_MORE - FEW);
    System.out.printf(
        "each keeps %.0f KiB of the heap, a thousand %.0f MiB of %d%n",
        eachMib * 1024, thousandMib, mostHeapMib);
    assertThat(thousandMib).as("MiB that a thousand keep").isLessThan(KEPT * mostHeapMib);
  }
}
