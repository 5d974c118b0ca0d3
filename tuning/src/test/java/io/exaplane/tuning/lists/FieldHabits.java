// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.util.Set;
import java.util.function.Consumer;

/**
 * Habits that people reported of controllers, jobs and scripts, beside those of {@link OtherHabits}
 * and {@link PlantedCulpritsTest}. Several findings can be true of one habit: at least one of the
 * first set is given, and none beside both sets.
 */
enum FieldHabits {
  /** Lists every half minute although its watch goes on, as some informers resync. */
  RESYNC_BY_LIST(
      36,
      Set.of(Finding.RELISTS, Finding.POLLING),
      Set.of(),
      h -> {
        String at = h.address(1);
        for (int s = 3; s < Habits.SECONDS; s += 30) {
          h.list(s, at, "pods", "?resourceVersion=0");
          if ((s - 3) % 390 == 0) {
            h.add(s + 1, "watch", at, "pods", "?resourceVersion=7", 200);
          }
        }
      }),
  /** Pages that expire before the last one, then all at once, and a watch that ends soon. */
  EXPIRED_PAGES(
      36,
      Set.of(Finding.RELISTS),
      Set.of(Finding.MANY_PAGES),
      h -> {
        for (int s = 3; s < Habits.SECONDS; s += 90) {
          h.list(s, h.address(1), "configmaps", "?limit=500");
          for (int page = 1; page < 30; page++) {
            h.list(s + page / 10.0, h.address(1), "configmaps", "?limit=500&continue=x");
          }
          h.add(s + 3, "list", h.address(1), "configmaps", "?limit=500&continue=x", 410);
          h.list(s + 4, h.address(1), "configmaps", "");
          h.add(s + 6, "watch", h.address(1), "configmaps", "?resourceVersion=7", 200);
        }
      }),
  /** A LIST of pods for each of four hundred objects, at every resync. */
  LIST_FOR_EACH_OBJECT(
      36,
      Set.of(Finding.MANY_SELECTORS),
      Set.of(Finding.POLLING, Finding.SELECTOR_WITHOUT_INDEX),
      h -> {
        for (int s = 3; s < Habits.SECONDS; s += 600) {
          for (int i = 0; i < 400; i++) {
            h.list(s + i / 9.0, h.address(1), "pods", "?labelSelector=app%3Da" + i);
          }
        }
      }),
  /** The same for objects that come and go: no selector is asked for twice. */
  LIST_FOR_EACH_NEW_OBJECT(
      36,
      Set.of(Finding.MANY_SELECTORS),
      Set.of(),
      h -> {
        for (double s = 3; s < Habits.SECONDS; s += 4 * h.random().nextDouble()) {
          h.list(s, h.address(1), "pods", "?labelSelector=job-uid%3D" + s);
        }
      }),
  /** One object by its name out of all namespaces. */
  NAME_FOR_NAME(
      36,
      Set.of(Finding.MANY_SELECTORS),
      Set.of(),
      h -> {
        for (int i = 0; i < 2_000; i++) {
          h.list(1.7 * i, h.address(1), "pods", "?fieldSelector=metadata.name%3Dp" + i);
        }
      }),
  /** Releases of a package manager, each by its labels in its namespace. */
  RELEASES(
      36,
      Set.of(Finding.MANY_SELECTORS),
      Set.of(Finding.POLLING),
      h -> {
        for (int s = 3; s < Habits.SECONDS; s += 200) {
          for (int i = 0; i < 300; i++) {
            h.namespaced(
                s + i / 4.0,
                "list",
                h.address(1),
                "configmaps",
                "ns-" + i % 90,
                "?labelSelector=name%3Dr" + i + "%2Cowner%3Dhelm");
          }
        }
      }),
  /** Whether there is anything: one object is asked for, and all are walked over. */
  COUNTER(
      36, Set.of(Finding.POLLING), Set.of(), h -> h.poll(2, 0, h.address(1), "pods", "?limit=1")),
  /** A watch each second that begins with everything. */
  WATCH_EACH_SECOND(
      36,
      Set.of(Finding.RELISTS),
      Set.of(),
      h -> {
        for (int s = 3; s < Habits.SECONDS; s++) {
          h.add(s, "watch", h.address(1), "pods", "?resourceVersion=0", 200);
        }
      }),
  /** Jobs with a label of their own each, by new pods at new addresses. */
  JOBS_BY_LABEL(
      36,
      Set.of(Finding.RESTARTS_IN_STEP),
      Set.of(),
      h -> {
        for (int s = 0; s < Habits.SECONDS; s += 300) {
          for (int i = 0; i < 40; i++) {
            h.list(
                s + 5 * h.random().nextDouble(),
                h.address(s * 50 + i),
                "pods",
                "?labelSelector=job%3Dj" + s + "-" + i);
          }
        }
      }),
  /** The same where the program calls itself by its pod's name. */
  JOBS_BY_THEIR_PODS_NAMES(
      36,
      Set.of(Finding.RESTARTS_IN_STEP),
      Set.of(),
      h -> {
        for (int s = 0; s < Habits.SECONDS; s += 600) {
          for (int i = 0; i < 60; i++) {
            h.asPod("" + (29_400_000 + s));
            h.list(s + 5 * h.random().nextDouble(), h.address(s * 50 + i), "pods", "");
          }
        }
      }),
  /** Three replicas that call themselves by their pods' names. */
  REPLICAS(
      36,
      Set.of(Finding.POLLING),
      Set.of(),
      h -> {
        for (int i = 0; i < 3; i++) {
          h.asPod("7d9c5b8f6d");
          h.poll(45, 0.3, h.address(i), "pods", "?resourceVersion=0");
        }
      }),
  /** A webhook that looks at all pods for each pod that is created. */
  WEBHOOK(
      36,
      Set.of(Finding.POLLING),
      Set.of(),
      h -> {
        for (double s = 0; s < Habits.SECONDS; s -= 8 * Math.log(h.random().nextDouble())) {
          h.list(s, h.address(h.random().nextInt(3)), "pods", "");
        }
      }),
  /** The same, for the namespace of the pod. */
  WEBHOOK_BY_NAMESPACE(
      36,
      Set.of(Finding.POLLING),
      Set.of(),
      h -> {
        for (double s = 0; s < Habits.SECONDS; s -= 0.4 * Math.log(h.random().nextDouble())) {
          String namespace = "ns-" + h.random().nextInt(40);
          h.namespaced(s, "list", h.address(1), "configmaps", namespace, "");
        }
      }),
  /** A job in each namespace, with the account of that namespace. */
  JOB_OF_EACH_NAMESPACE(
      36,
      Set.of(Finding.EVERYTHING_EVERYWHERE, Finding.RESTARTS_IN_STEP),
      Set.of(),
      h -> {
        for (int i = 0; i < 150; i++) {
          h.user("system:serviceaccount:ci-" + i + ":runner");
          double at = Habits.SECONDS * h.random().nextDouble();
          h.list(at, h.address(i), "configmaps", "?limit=500&resourceVersion=0");
          h.list(at + 9, h.address(i), "pods", "?limit=500&resourceVersion=0");
        }
      }),
  /** The same, all at the full hour and again at half past. */
  JOB_OF_EACH_NAMESPACE_IN_STEP(
      36,
      Set.of(Finding.RESTARTS_IN_STEP),
      Set.of(),
      h -> {
        for (int s = 20; s < Habits.SECONDS; s += 1_200) {
          for (int i = 0; i < 80; i++) {
            h.user("system:serviceaccount:team-" + i + ":report");
            h.list(s + 20 * h.random().nextDouble(), h.address(s * 9 + i), "pods", "");
          }
        }
      }),
  /** A person's loop, behind addresses that change. */
  LOOP_BEHIND_MANY_ADDRESSES(
      36,
      Set.of(Finding.EVERYTHING_EVERYWHERE, Finding.POLLING),
      Set.of(),
      h -> {
        for (int s = 3; s < Habits.SECONDS; s += 10) {
          h.list(s, h.address(h.random().nextInt(250)), "pods", "");
        }
      }),
  /** Reads what it wants in two ways, of which one goes to the store. */
  BOTH_WAYS(
      30,
      Set.of(Finding.STORE_READS),
      Set.of(Finding.POLLING),
      h -> {
        h.poll(9, 0.1, h.address(1), "pods", "");
        h.poll(9, 0.1, h.address(1), "pods", "?resourceVersion=0");
      }),
  /** Discovery of targets that begins anew with every change of its configuration. */
  DISCOVERY_OF_TARGETS(
      36,
      Set.of(Finding.RELISTS),
      Set.of(),
      h -> {
        for (int s = 3; s < Habits.SECONDS; s += 300) {
          for (int job = 0; job < 20; job++) {
            h.informer(s + job / 5.0, h.address(1), "pods");
            h.informer(s + job / 5.0 + 0.1, h.address(1), "nodes");
          }
        }
      }),
  /** A watch of nodes as it should be, and a LIST of another resource every five minutes. */
  HALF_AN_INFORMER(
      36,
      Set.of(Finding.POLLING),
      Set.of(),
      h -> {
        h.informer(4, h.address(1), "nodes");
        h.informer(5, h.address(1), "pods");
        h.poll(290, 0.1, h.address(1), "configmaps", "?resourceVersion=0");
      }),
  /** A herd, of which one instance polls besides. */
  HERD_WITH_A_POLLER(
      36,
      Set.of(Finding.RESTARTS_IN_STEP),
      Set.of(Finding.POLLING),
      h -> {
        for (int i = 0; i < 60; i++) {
          h.informer(i / 3.0, h.address(i), "pods");
          h.informer(2_100 + i / 3.0, h.address(i), "pods");
        }
        h.poll(20, 0.1, h.address(7), "nodes", "?resourceVersion=0");
      }),
  /** A herd behind one address, twice. */
  HERD_BEHIND_ONE_ADDRESS(
      36,
      Set.of(Finding.RESTARTS_IN_STEP, Finding.DEAREST, Finding.RELISTS),
      Set.of(),
      h -> {
        for (int i = 0; i < 60; i++) {
          h.informer(i / 3.0, h.address(1), "pods");
          h.informer(2_100 + i / 3.0, h.address(1), "pods");
        }
      });

  private final int minor;
  private final Set<Finding> wanted;
  private final Set<Finding> alsoTrue;
  private final Consumer<Habits> habit;

  FieldHabits(int minor, Set<Finding> wanted, Set<Finding> alsoTrue, Consumer<Habits> habit) {
    this.minor = minor;
    this.wanted = wanted;
    this.alsoTrue = alsoTrue;
    this.habit = habit;
  }

  int minor() {
    return minor;
  }

  Set<Finding> wanted() {
    return wanted;
  }

  Set<Finding> alsoTrue() {
    return alsoTrue;
  }

  void plant(Habits habits) {
    habit.accept(habits);
  }
}
