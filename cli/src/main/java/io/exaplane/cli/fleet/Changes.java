// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

import io.exaplane.cli.measure.MeasurementException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Changes the specs of a fleet, one after the other, and waits for the operator. Used by one
 * thread.
 */
public final class Changes {
  /** An annotation of the Service, with the number of the round: one object, and no pod. */
  public static final String SMALLEST =
      "{\"spec\":{\"endpoint\":{\"annotations\":{\"bench.exaplane.io/round\":\"{n}\"}}}}";

  private static final String NUMBER = "{n}";
  private static final long PAUSE_MS = 50;

  private final Fleet fleet;
  private final Duration patience;

  /** With so much patience for all changes of a round. */
  public Changes(Fleet fleet, Duration patience) {
    this.fleet = fleet;
    this.patience = patience;
  }

  /**
   * Changes each.
   *
   * @param patch JSON merge patch; {n} stands for the round
   * @param round another one than before, so that a value is new
   * @param perSecond at most
   * @param namespaces those whose control planes change
   * @return how long each took until the operator had looked at the change
   * @throws MeasurementException if a change is not reconciled in time
   */
  public List<Duration> run(
      String patch, int round, double perSecond, Collection<String> namespaces) {
    String text = patch.replace(NUMBER, Integer.toString(round));
    List<Progress.Change> changes = new ArrayList<>();
    long began = System.nanoTime();
    for (String namespace : namespaces) {
      sleepUntil(began + (long) (changes.size() / perSecond * 1e9));
      changes.add(fleet.change(namespace, text));
    }
    long deadline = System.nanoTime() + patience.toNanos();
    while (!changes.stream().allMatch(fleet.progress()::isDone)) {
      if (System.nanoTime() > deadline) {
        throw new MeasurementException(
            "%d of %d changes are not reconciled after %d s; check the operator's log"
                .formatted(
                    changes.stream().filter(each -> !fleet.progress().isDone(each)).count(),
                    changes.size(),
                    patience.toSeconds()));
      }
      sleepUntil(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MS));
    }
    return changes.stream().map(fleet.progress()::took).sorted().toList();
  }

  private static void sleepUntil(long nanoTime) {
    try {
      TimeUnit.NANOSECONDS.sleep(Math.max(0, nanoTime - System.nanoTime()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
