// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.wait;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the pods of a component that all waited for the same are let go: evenly over the time in
 * which so many may start. Each chooses its moment by chance, so that nobody has to be asked.
 * Immutable.
 *
 * @param perMinute how many may start a minute
 * @param pods how many there are
 */
record Release(int perMinute, int pods) {
  private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,5})/([1-9][0-9]{0,5})");

  /** All at once. */
  static final Release AT_ONCE = new Release(1, 0);

  /** Waits for all dependencies. */
  interface Dependencies {
    /** Returns when all answer: whether one did not at first. */
    boolean await() throws InterruptedException, IOException, GeneralSecurityException;
  }

  /**
   * As {@code 10/20}: ten a minute, of twenty pods.
   *
   * @throws IllegalArgumentException if it is nothing of the kind
   */
  static Release parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "%s %s: must be pods a minute and pods, for example 10/20; correct the variable"
              .formatted(WaitForDependencies.RELEASE, text));
    }
    return new Release(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  /** The time over which the pods start; none if all of them may start in the same minute. */
  Duration spread() {
    return pods <= perMinute
        ? Duration.ZERO
        : Duration.ofMinutes(1).multipliedBy(pods).dividedBy(perMinute);
  }

  /**
   * Returns when the pod may start. Who never had to wait does not wait for the others either; who
   * waited looks again after its turn, since all may be away once more.
   *
   * @param sleepMs how to wait for a turn
   */
  void await(Dependencies dependencies, LongConsumer sleepMs, RandomGenerator random)
      throws InterruptedException, IOException, GeneralSecurityException {
    long spreadMs = spread().toMillis();
    while (dependencies.await() && spreadMs > 0) {
      sleepMs.accept(random.nextLong(spreadMs));
    }
  }
}
