// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.hosted.LiveLists;
import io.exaplane.operator.schedulerpool.hosted.LiveTree;
import io.exaplane.operator.storeshard.usage.LiveStore;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A number for each namespace that changes when an object there changes, so that an open page costs
 * nothing while nothing happens. One thread looks for all pages. Thread-safe.
 */
final class Changes {
  private final Fleet fleet;
  private Map<String, Long> numbers = Map.of();
  private long all;

  Changes(Fleet fleet) {
    this.fleet = fleet;
  }

  /** Looks at all objects, and wakes those who wait. */
  void look() {
    Map<String, Long> seen = new HashMap<>();
    Stream.of(fleet.planes(), fleet.stores(), fleet.schedulers(), fleet.nodePools(), fleet.tasks())
        .flatMap(each -> each)
        .forEach(
            object -> seen.merge(object.getMetadata().getNamespace(), hash(object), Long::sum));
    fleet.stores().forEach(each -> looked(seen, each, fleet.live(each).map(LiveStore::at)));
    fleet.schedulers().forEach(each -> looked(seen, each, fleet.tree(each).map(LiveTree::at)));
    fleet.planes().forEach(each -> looked(seen, each, fleet.lists(each).map(LiveLists::at)));
    long planes = fleet.planes().mapToLong(Changes::hash).sum();
    synchronized (this) {
      numbers = seen;
      all = planes;
      notifyAll();
    }
  }

  private static void looked(Map<String, Long> seen, HasMetadata object, Optional<Instant> at) {
    at.ifPresent(
        time -> seen.merge(object.getMetadata().getNamespace(), (long) time.hashCode(), Long::sum));
  }

  private static long hash(HasMetadata object) {
    // Mixed, so that two that change places in a sum do not cancel each other out.
    long hash =
        object.getMetadata().getUid().hashCode() * 31L
            + object.getMetadata().getResourceVersion().hashCode();
    return hash * 0x9E3779B97F4A7C15L;
  }

  /** The number of a page now: of a namespace, or, for "", of all {@link ControlPlane}s. */
  synchronized long number(String namespace) {
    return namespace.isEmpty() ? all : numbers.getOrDefault(namespace, 0L);
  }

  /**
   * Waits until a number is another one.
   *
   * @param millis at most
   */
  synchronized void await(String namespace, long number, long millis) throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    while (number(namespace) == number) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return;
      }
      wait(left);
    }
  }
}
