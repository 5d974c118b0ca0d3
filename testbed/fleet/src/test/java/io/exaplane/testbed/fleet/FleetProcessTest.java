// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many control planes without room for their pods, and the operator as it is shipped: it lives,
 * takes no more threads than with a few, tells each of them something soon, and is quiet in the
 * end.
 */
class FleetProcessTest {
  private static final String SMALLEST =
      """
      apiVersion: exaplane.io/v1alpha1
      kind: ControlPlane
      metadata: {name: small}
      spec:
        version: "1.36.3"
        maxNodes: 100
        deletionProtection: false
        storage: {deletion: Delete}
      """;

  /** What a control plane more may take of threads: a hundredth, which is rounding. */
  private static final double THREADS_EACH = 0.01;

  /** Connections of probes that are under way or were a moment ago. */
  private static final int DESCRIPTORS_EACH = 3;

  /** Machines are noisy. */
  private static final int MARGIN = 5;

  private static final Duration FIRST_CONDITION = Duration.ofSeconds(30);
  private static final Duration QUIET = Duration.ofSeconds(20);

  @TempDir private Path folder;

  @Test
  void aHundredAreToldSoonAndNothingIsWrittenAfterwards() throws Exception {
    run(100, Duration.ofMinutes(15), QUIET);
  }

  @Test
  @Tag("long")
  void aThousandFitTheShippedMemory() throws Exception {
    run(1_000, Duration.ofMinutes(50), Duration.ofMinutes(5));
  }

  private void run(int count, Duration patience, Duration idle) throws Exception {
    long limit = Long.getLong("fleet.limitBytes", Management.shippedLimitBytes());
    try (Management cluster = Management.start(folder);
        OperatorProcess operator =
            OperatorProcess.start(folder, cluster.operatorKubeconfig(), limit);
        Fleet few = new Fleet(cluster.client(), 0, 10);
        Fleet many = new Fleet(cluster.client(), 10, count - 10)) {
      few.apply(SMALLEST);
      settle(cluster, operator, few, patience);
      OperatorProcess.Use before = operator.use();
      many.apply(SMALLEST);
      settle(cluster, operator, many, patience);
      OperatorProcess.Use after = operator.use();
      Duration told = percentile(many.toFirstCondition(), 0.99);
      Duration made = percentile(many.toLastObject(), 0.99);
      System.out.printf(
          "%d control planes: first condition p99 %.1f s, last object p99 %.1f s;"
              + " with 10 %s, with all %s, at most %d MiB of %d%n",
          count,
          told.toMillis() / 1000.0,
          made.toMillis() / 1000.0,
          before,
          after,
          operator.peakMib(),
          limit >> 20);
      staysQuiet(cluster, operator, idle);
      assertThat(after.threads() - before.threads())
          .as("threads for %d more", count - 10)
          .isLessThanOrEqualTo(8 + (int) (THREADS_EACH * count));
      assertThat(after.descriptors() - before.descriptors())
          .as("descriptors for %d more", count - 10)
          .isLessThanOrEqualTo(20 + DESCRIPTORS_EACH * count);
      assertThat(told).isLessThan(FIRST_CONDITION.multipliedBy(MARGIN * Math.max(1, count / 100)));
      assertThat(made).isLessThan(patience);
      few.delete();
      many.delete();
      Await.until(
          patience,
          "all are gone",
          () -> isAlive(operator) && few.left() + many.left() == 0,
          () -> few.left() + many.left());
      OperatorProcess.Use end = operator.use();
      System.out.printf("all deleted again: %s, at most %d MiB%n", end, operator.peakMib());
    }
  }

  /** Until each has its first condition and the writes ended; then all have the same objects. */
  private static void settle(
      Management cluster, OperatorProcess operator, Fleet fleet, Duration patience)
      throws Exception {
    Await.until(
        patience,
        "each has a condition",
        () -> isAlive(operator) && fleet.isTold(),
        () -> "%d have; %s".formatted(fleet.toFirstCondition().size(), operator.lastWords()));
    quiet(cluster, operator, Duration.ofSeconds(8), patience);
    assertThat(fleet.objectsOfEach())
        .as("each has the same objects: by kind, how many have how many")
        .allSatisfy((kind, counts) -> assertThat(counts).hasSize(1).doesNotContainKey(0L));
  }

  private static boolean isAlive(OperatorProcess operator) {
    assertThat(operator.isAlive()).as("the operator lives: %s", operator.lastWords()).isTrue();
    return true;
  }

  /** Waits until nothing was written for so long. */
  private static void quiet(
      Management cluster, OperatorProcess operator, Duration idle, Duration patience)
      throws Exception {
    AuditLog log = cluster.auditLog();
    int[] seen = {log.count()};
    long[] since = {System.nanoTime()};
    Await.until(
        patience,
        "nothing is written for " + idle,
        () -> {
          int now = count(log);
          if (now != seen[0]) {
            seen[0] = now;
            since[0] = System.nanoTime();
          }
          return isAlive(operator) && System.nanoTime() - since[0] > idle.toNanos();
        },
        () -> last(log, seen[0]));
  }

  private static int count(AuditLog log) {
    try {
      return log.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> last(AuditLog log, int seen) {
    try {
      return log.after(Math.max(0, seen - 20));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Duration percentile(List<Duration> sorted, double part) {
    return sorted.get((int) Math.ceil(part * sorted.size()) - 1);
  }

  /** After the words that time limits of patience change, nothing is written at all. */
  private static void staysQuiet(Management cluster, OperatorProcess operator, Duration idle)
      throws Exception {
    // "No action is needed" has a limit of two minutes, after which a status says what to look at.
    quiet(cluster, operator, idle, idle.plus(Duration.ofMinutes(4)));
  }
}
