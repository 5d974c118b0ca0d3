// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import io.exaplane.api.v1alpha1.SchedulerPoolStatus.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What is told of what is seen: a member that goes from one parent to a better one is away for a
 * moment, a root that takes over begins with none, and an API misses a request now and then, of
 * which status is not to tell. Immutable.
 *
 * @param view what is told
 * @param answered when the API answered last
 * @param whole when the tree was seen as it is told
 */
record SteadyView(PoolView view, Instant answered, Instant whole) {
  /** So long what has become less is told as it was. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /** With what is seen now. */
  static SteadyView next(SteadyView before, PoolView now, Instant at) {
    if (before == null) {
      return new SteadyView(now, now.answers() ? at : Instant.MIN, at);
    }
    if (!now.answers()) {
      boolean patient = before.view.answers() && at.isBefore(before.answered.plus(PATIENCE));
      return patient ? before : new SteadyView(now, before.answered, before.whole);
    }
    boolean less = now.held() && before.view.held() && isLess(now.tree(), before.view.tree());
    return less && at.isBefore(before.whole.plus(PATIENCE))
        ? new SteadyView(now.with(before.view.tree()), at, before.whole)
        : new SteadyView(now, at, at);
  }

  private static boolean isLess(Optional<Tree> now, Optional<Tree> before) {
    if (now.isEmpty() || before.isEmpty()) {
      return before.isPresent();
    }
    return now.get().shards() < before.get().shards()
        || now.get().relays() < before.get().relays()
        || before.get().complete() && !now.get().complete();
  }
}
