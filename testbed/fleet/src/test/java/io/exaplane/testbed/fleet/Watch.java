// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.cli.fleet.Fleet;
import io.exaplane.testbed.machine.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Waits for what an operator does, which lives meanwhile. Whether it is quiet goes by how often it
 * looked at the objects, not by time alone. Used by one thread.
 *
 * @param patience for each thing that must come
 */
record Watch(Management cluster, OperatorProcess operator, Duration patience) {
  private static final Duration PAUSE = Duration.ofSeconds(8);
  private static final int LAST_WRITES = 20;

  void until(String what, BooleanSupplier condition) throws InterruptedException {
    Await.until(
        patience,
        what,
        () -> {
          assertThat(operator.lives()).as("it lives: %s", operator.lastWords()).isTrue();
          return condition.getAsBoolean();
        },
        this::lastWrites);
  }

  /** Until each has its first condition, and all have the same objects, which is all there are. */
  void settle(Fleet fleet) throws Exception {
    until("each has a condition", fleet::isTold);
    until("all is made: " + fleet.objectsOfEach(), fleet::isMade);
    quiet(0, PAUSE);
    assertThat(fleet.isMade()).as("all is made: %s", fleet.objectsOfEach()).isTrue();
  }

  /**
   * Until nothing was written for so long, while each of so many was looked at again. Before that
   * words change that have a limit of time.
   */
  void quiet(int controlPlanes, Duration idle) throws Exception {
    long[] seen = {writes(), System.nanoTime(), operator.looks()};
    until(
        "nothing is written while each is looked at",
        () -> {
          long now = writes();
          if (now != seen[0] || operator.looks() < seen[2]) {
            seen[0] = now;
            seen[1] = System.nanoTime();
            seen[2] = operator.looks();
          }
          return System.nanoTime() - seen[1] > idle.toNanos()
              && operator.looks() - seen[2] >= 2L * controlPlanes;
        });
  }

  /** Nothing was written after so many writes, and each of so many was looked at, and again. */
  void writesNothing(int writesBefore, int controlPlanes) throws Exception {
    until("each was looked at twice", () -> operator.looks() >= 2L * controlPlanes);
    assertThat(cluster.auditLog().after(writesBefore))
        .as("writes of an operator that took over")
        .isEmpty();
  }

  private List<String> lastWrites() {
    try {
      return cluster.auditLog().after(Math.max(0, writes() - LAST_WRITES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int writes() {
    try {
      return cluster.auditLog().count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
