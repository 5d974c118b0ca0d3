// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.util.Set;
import java.util.function.Consumer;

/** Habits beside those of {@link PlantedCulpritsTest}, and what is to be said of them. */
enum OtherHabits {
  /** A poller that takes a nap now and then. */
  UNEVEN_POLLER(
      Set.of(Finding.POLLING), h -> h.poll(20, 3, h.address(1), "pods", "?resourceVersion=0")),
  /** All pages, one object each. */
  PAGES_OF_ONE(
      Set.of(Finding.MANY_PAGES),
      h -> {
        h.list(5, h.address(1), "pods", "?limit=1");
        for (int page = 1; page < 20_000; page++) {
          h.list(5 + page / 20.0, h.address(1), "pods", "?limit=1&continue=x");
        }
      }),
  /** Pages again and again, as a script around kubectl does. */
  POLLER_IN_PAGES(
      Set.of(Finding.POLLING, Finding.MANY_PAGES),
      h -> {
        for (int s = 3; s < Habits.SECONDS; s += 60) {
          h.list(s, h.address(1), "pods", "?limit=500");
          for (int page = 1; page < 40; page++) {
            h.list(s + page / 20.0, h.address(1), "pods", "?limit=500&continue=x");
          }
        }
      }),
  /** Its watches are cut every few seconds, and it lists anew each time. */
  CUT_WATCHES(
      Set.of(Finding.RELISTS),
      h -> {
        for (int s = 3; s < Habits.SECONDS; s += 5) {
          h.informer(s, h.address(1), "pods");
        }
      }),
  /** The same behind a proxy: many instances with one address. */
  BEHIND_ONE_ADDRESS(
      Set.of(Finding.POLLING),
      h -> {
        for (int i = 0; i < 40; i++) {
          h.poll(120, 0.3, h.address(1), "pods", "?resourceVersion=0");
        }
      }),
  /** One program with a token for each user. */
  MANY_USERS(
      Set.of(Finding.POLLING),
      h -> {
        for (int i = 0; i < 40; i++) {
          h.user("user-" + i + "@example.org");
          h.poll(120, 0.3, h.address(1), "pods", "?resourceVersion=0");
        }
      }),
  /** One LIST for each namespace, round and round. */
  NAMESPACE_BY_NAMESPACE(
      Set.of(Finding.POLLING),
      h -> {
        for (int s = 3; s < Habits.SECONDS; s += 30) {
          for (int n = 0; n < 50; n++) {
            h.namespaced(s + n / 10.0, "list", h.address(1), "configmaps", "ns-" + n, "");
          }
        }
      }),
  /** Kubelets of old, which ask for their pods and do not watch. */
  NODES_THAT_POLL(
      Set.of(Finding.POLLING),
      h -> {
        for (int i = 0; i < 300; i++) {
          h.poll(15, 0.2, h.address(i), "pods", "?fieldSelector=spec.nodeName%3Dn" + i);
        }
      }),
  /** Jobs by the minute, each of which reads all. */
  JOBS_BY_THE_MINUTE(
      Set.of(Finding.RESTARTS_IN_STEP),
      h -> {
        for (int s = 0; s < Habits.SECONDS; s += 300) {
          for (int i = 0; i < 30; i++) {
            h.list(
                s + 2 * h.random().nextDouble(),
                h.address(s + i),
                "pods",
                "?limit=500&resourceVersion=0");
          }
        }
      }),
  /** A crash loop: the same address starts again and again, and watches in between. */
  CRASH_LOOP(
      Set.of(Finding.RELISTS),
      h -> {
        for (double s = 5; s < Habits.SECONDS; s += 60 + 30 * h.random().nextDouble()) {
          h.informer(s, h.address(1), "configmaps");
        }
      }),
  /** Streams of all objects, begun anew. */
  CUT_STREAMS(
      Set.of(Finding.RELISTS, Finding.WATCH_LISTS_OF_LARGE),
      h -> {
        for (int s = 3; s < Habits.SECONDS; s += 30) {
          h.add(s, "watch", h.address(1), "configmaps", Habits.STREAM, 200);
        }
      }),
  /** Watches without a revision, which begin with all objects. */
  CUT_OLD_WATCHES(
      Set.of(Finding.RELISTS),
      h -> {
        for (int s = 3; s < Habits.SECONDS; s += 10) {
          h.add(s, "watch", h.address(1), "pods", "?watch=true", 200);
        }
      }),
  /** LISTs that time out and are sent again. */
  TIMED_OUT(
      Set.of(Finding.POLLING, Finding.RETRY_STORM),
      h -> {
        for (int s = 3; s < Habits.SECONDS; s++) {
          for (int i = 0; i < 4; i++) {
            h.add(s + i / 4.0, "list", h.address(1), "configmaps", "", 504);
          }
        }
      }),
  /**
   * Several resources in turn, none of them more often than every quarter of an hour but all large.
   */
  TOURIST(
      Set.of(Finding.POLLING),
      h -> {
        for (int s = 3; s < Habits.SECONDS; s += 600) {
          h.list(s, h.address(1), "configmaps", "");
          h.list(s + 5, h.address(1), "pods", "");
          h.list(s + 9, h.address(1), "nodes", "");
        }
      }),
  /** Streams of all objects, one for each instance, not in step. */
  STREAMS_EVERYWHERE(
      Set.of(Finding.EVERYTHING_EVERYWHERE),
      h -> {
        for (int i = 0; i < 110; i++) {
          h.add(31.0 * i, "watch", h.address(i), "pods", Habits.STREAM, 200);
        }
      }),
  /** Two halves of a rollout, each at once, with streams. */
  STREAMS_IN_STEP(
      Set.of(Finding.RESTARTS_IN_STEP),
      h -> {
        for (int i = 0; i < 80; i++) {
          h.add(i / 4.0, "watch", h.address(i), "pods", Habits.STREAM, 200);
          h.add(2_000 + i / 4.0, "watch", h.address(i), "pods", Habits.STREAM, 200);
        }
      }),
  /** Jobs that also wait for something. */
  JOBS_THAT_WATCH(
      Set.of(Finding.RESTARTS_IN_STEP),
      h -> {
        for (int s = 0; s < Habits.SECONDS; s += 600) {
          for (int i = 0; i < 30; i++) {
            h.informer(s + 4 * h.random().nextDouble(), h.address(s + i), "pods");
          }
        }
      }),
  /** All objects for every instance. */
  SLOWLY_EVERYWHERE(
      Set.of(Finding.EVERYTHING_EVERYWHERE),
      h -> {
        for (int i = 0; i < 100; i++) {
          h.informer(30 * i, h.address(i), "configmaps");
        }
      });

  private static final int KINDS = 14;
  private final Set<Finding> expected;
  private final Consumer<Habits> habit;

  OtherHabits(Set<Finding> expected, Consumer<Habits> habit) {
    this.expected = expected;
    this.habit = habit;
  }

  Set<Finding> expected() {
    return expected;
  }

  void plant(Habits habits) {
    habit.accept(habits);
  }

  /** Clients that do what they should, in other ways than those of {@link Habits#innocent}. */
  static void innocent(Habits h, int number) {
    h.as("innocent-" + number);
    int base = 0x10000 * (1 + number % 200);
    switch (number % KINDS) {
      case 0 -> { // nodes that come in dozens
        for (int batch = 0; batch < 5; batch++) {
          for (int i = 0; i < 14; i++) {
            double at = 200 + 650 * batch + 40 * h.random().nextDouble();
            String address = h.address(base + batch * 100 + i);
            h.list(
                at,
                address,
                "pods",
                "?limit=500&resourceVersion=0&fieldSelector=spec.nodeName%3Dn" + i);
            for (double s = at + 1; s < Habits.SECONDS; s += 400) {
              h.add(
                  s,
                  "watch",
                  address,
                  "pods",
                  "?resourceVersion=7&fieldSelector=spec.nodeName%3Dn" + i,
                  200);
            }
          }
        }
      }
      case 1 -> { // watches that end every few seconds, and go on where they were
        h.informer(9, h.address(base), "pods");
        for (int s = 10; s < Habits.SECONDS; s += 6) {
          h.add(s, "watch", h.address(base), "pods", "?resourceVersion=" + s, 200);
        }
      }
      case 2 -> { // people behind one address
        for (int i = 0; i < 30; i++) {
          h.user("user-" + number + "-" + i);
          h.namespaced(
              h.random().nextInt(Habits.SECONDS),
              "list",
              h.address(base),
              "pods",
              "small",
              "?limit=500");
        }
      }
      case 3 -> { // reviews
        for (int s = 0; s < Habits.SECONDS; s++) {
          h.add(s, "create", h.address(base), "subjectaccessreviews", "", 201);
        }
      }
      case 4 -> { // a controller that loses races
        h.informer(20, h.address(base), "configmaps");
        for (int s = 0; s < Habits.SECONDS; s += 2) {
          h.add(s, "update", h.address(base), "configmaps", "/x", 409);
        }
      }
      case 5 -> { // deletes namespaces
        for (int s = 5; s < Habits.SECONDS; s += 30) {
          h.namespaced(s, "deletecollection", h.address(base), "pods", "ns-" + s, "");
          h.namespaced(s + 1, "list", h.address(base), "pods", "ns-" + s, "");
          h.namespaced(s + 1, "list", h.address(base), "configmaps", "ns-" + s, "");
        }
      }
      case 6 -> { // a list of everything in pages, once
        h.list(50, h.address(base), "pods", "?limit=5000");
        for (int page = 1; page < 4; page++) {
          h.list(50 + page, h.address(base), "pods", "?limit=5000&continue=x");
        }
      }
      case 7 -> { // kubelets' secrets by name
        for (int i = 0; i < 40; i++) {
          for (int n = 0; n < 4; n++) {
            String name = "fieldSelector=metadata.name%3Dc" + n;
            h.namespaced(
                30 * i + n,
                "list",
                h.address(base + i),
                "configmaps",
                "small",
                "?limit=500&resourceVersion=0&" + name);
            h.namespaced(
                30 * i + n + 0.5,
                "watch",
                h.address(base + i),
                "configmaps",
                "small",
                "?resourceVersion=7&" + name);
          }
        }
      }
      case 8 -> { // an elected one among three, that changes
        for (int i = 0; i < 3; i++) {
          h.informer(1 + 1_200 * i, h.address(base + i), "pods");
          h.informer(3 + 1_200 * i, h.address(base + i), "configmaps");
        }
      }
      case 9 -> { // refused, and waits longer each time
        for (int s = 4; s < Habits.SECONDS; s *= 2) {
          h.add(s, "list", h.address(base), "pods", "?resourceVersion=0", 429);
        }
        h.informer(2_000, h.address(base), "pods");
      }
      case 10 -> { // jobs at any time
        for (int i = 0; i < 300; i++) {
          h.namespaced(
              Habits.SECONDS * h.random().nextDouble(),
              "list",
              h.address(base + i),
              "pods",
              "small",
              "");
        }
      }
      case 11 -> { // a rollout of a tenth a minute
        for (int i = 0; i < 100; i++) {
          h.namespaced(i / 2.0, "list", h.address(base + i), "pods", "small", "?resourceVersion=0");
          h.namespaced(
              i / 2.0 + 1, "watch", h.address(base + i), "pods", "small", "?resourceVersion=7");
          h.namespaced(
              900 + 9 * i,
              "list",
              h.address(base + 500 + i),
              "pods",
              "small",
              "?resourceVersion=0");
          h.namespaced(
              901 + 9 * i,
              "watch",
              h.address(base + 500 + i),
              "pods",
              "small",
              "?resourceVersion=7");
        }
      }
      case 12 -> { // hourly reports
        h.list(7, h.address(base), "nodes", "");
        h.list(8, h.address(base), "pods", "?labelSelector=a%3Db");
      }
      default -> { // a watch a kind, renewed with bookmarks
        for (String resource : new String[] {"pods", "nodes", "configmaps", "namespaces"}) {
          h.add(
              h.random().nextInt(60),
              "watch",
              h.address(base),
              resource,
              resource.equals("configmaps") ? "?resourceVersion=7" : Habits.STREAM,
              200);
          for (int s = 400; s < Habits.SECONDS; s += 420) {
            h.add(s, "watch", h.address(base), resource, "?resourceVersion=9", 200);
          }
        }
      }
    }
  }
}
