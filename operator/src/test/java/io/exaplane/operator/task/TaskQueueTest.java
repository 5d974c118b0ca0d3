// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlaneTask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line "Tasks": at most one disruptive task of a control plane at a time, the oldest first. */
class TaskQueueTest {
  private static final String RESTART = "restart: {component: KubeAPIServer}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # other task                                              | its state | its second | comes before
          restart: {component: KubeScheduler}                       | Pending   | 1          | true
          restart: {component: KubeScheduler}                       | Pending   | 9          | false
          restart: {component: KubeScheduler}                       | Running   | 9          | true
          restart: {component: KubeScheduler}                       | Succeeded | 1          | false
          restart: {component: KubeScheduler}                       | Failed    | 1          | false
          restart: {component: KubeScheduler}                       | Rejected  | 1          | false
          rotate: {credential: CA, complete: Manual}                | Running   | 1          | true
          rotate: {credential: ServiceAccountKey}                   | Running   | 1          | true
          rotate: {credential: Leaves}                              | Running   | 1          | false
          rotate: {credential: AdminKubeconfig}                     | Running   | 1          | false
          """)
  void whichTaskComesFirst(String other, String state, int second, boolean before) {
    ControlPlaneTask one = Tasks.task("one", 5, RESTART);
    ControlPlaneTask two =
        Tasks.with(Tasks.task("two", second, other), "{state: %s}".formatted(state));
    assertThat(new TaskQueue().before(one, List.of(one, two)))
        .isEqualTo(before ? Optional.of("two") : Optional.empty());
  }

  @Test
  void oneOfAnotherControlPlaneAndOneThatIsDeletedHoldNobodyUp() {
    ControlPlaneTask one = Tasks.task("one", 5, RESTART);
    ControlPlaneTask elsewhere = Tasks.task("two", 1, RESTART);
    elsewhere.getMetadata().setNamespace("other");
    ControlPlaneTask deleted = Tasks.task("three", 1, RESTART);
    deleted.getMetadata().setDeletionTimestamp("2026-11-27T12:00:02Z");
    assertThat(new TaskQueue().before(one, List.of(one, elsewhere, deleted))).isEmpty();
    Tasks.with(deleted, "{state: Running}");
    assertThat(new TaskQueue().before(one, List.of(one, deleted)))
        .as("it is being undone")
        .contains("three");
  }

  /** Two of the same second, of which each is asked before the cache shows the other's start. */
  @Test
  void whoWasLetInStaysInWhateverTheCacheShows() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      TaskQueue queue = new TaskQueue();
      List<ControlPlaneTask> cache = new ArrayList<>();
      Set<String> began = new HashSet<>();
      for (int step = 0; step < 40; step++) {
        if (cache.size() < 5 && random.nextInt(3) == 0) {
          cache.add(Tasks.task("t" + random.nextInt(1000), random.nextInt(3), RESTART));
        }
        for (ControlPlaneTask task : cache) {
          boolean pending = task.getStatus() == null;
          if (pending && queue.before(task, cache).isEmpty()) {
            began.add(task.getMetadata().getUid());
          }
        }
        assertThat(began).as("seed %d, step %d", seed, step).hasSizeLessThanOrEqualTo(1);
        if (random.nextInt(4) == 0) {
          for (ControlPlaneTask task : List.copyOf(cache)) {
            if (began.remove(task.getMetadata().getUid())) {
              Tasks.with(task, "{state: Succeeded}");
              queue.forget(task);
              cache.remove(task);
            }
          }
        } else if (random.nextBoolean()) {
          cache.stream()
              .filter(task -> began.contains(task.getMetadata().getUid()))
              .forEach(task -> Tasks.with(task, "{state: Running}"));
        }
      }
    }
  }
}
