// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

/** Clients that do what they should and look, at a glance, as if they did not. */
final class FieldInnocents {
  static final int KINDS = 16;

  private FieldInnocents() {}

  static void add(Habits h, int number) {
    h.as("innocent-" + number);
    int base = 0x10000 * (1 + number % 200);
    String at = h.address(base);
    switch (number % KINDS) {
      case 0 -> { // twenty informers of the same, in one process, one after the other
        for (int i = 0; i < 20; i++) {
          h.informer(7 + i / 4.0, at, "pods");
        }
      }
      case 1 -> { // the same by streams, and again after an upgrade
        for (int i = 0; i < 12; i++) {
          h.add(8 + i / 5.0, "watch", at, "nodes", Habits.STREAM, 200);
          h.add(2_000 + i / 5.0, "watch", at, "nodes", Habits.STREAM, 200);
        }
      }
      case 2 -> { // a backup: every namespace once
        for (int n = 0; n < 100; n++) {
          h.namespaced(900 + n, "list", at, "pods", "ns-" + n, "?limit=500");
          h.namespaced(900.5 + n, "list", at, "configmaps", "ns-" + n, "?limit=500");
        }
      }
      case 3 -> { // an upgrade by a package manager: a dozen LISTs within seconds
        for (int i = 0; i < 12; i++) {
          h.list(1_500 + i / 2.0, at, "nodes", "?labelSelector=a%3Db");
        }
      }
      case 4 -> { // replicas with their pods' names, as they start
        for (int i = 0; i < 3; i++) {
          h.asPod("6f7d8c9b5");
          h.informer(30 + 200 * i, h.address(base + i), "pods");
        }
      }
      case 5 -> { // deletes namespaces of tests, one every two seconds
        for (int s = 5; s < Habits.SECONDS; s += 2) {
          h.namespaced(s, "list", at, "pods", "gone-" + s, "");
        }
      }
      case 6 -> { // drains node after node
        for (int n = 0; n < 500; n++) {
          h.list(6.0 * n, at, "pods", "?fieldSelector=spec.nodeName%3Dn" + n + "&limit=500");
        }
      }
      case 7 -> { // waits for one object after the other
        for (int i = 0; i < 300; i++) {
          String name = "?fieldSelector=metadata.name%3Dp" + i;
          h.namespaced(11.0 * i, "list", at, "pods", "small", name);
          h.namespaced(11.0 * i + 1, "watch", at, "pods", "small", name + "&resourceVersion=7");
        }
      }
      case 8 -> { // the same operator in many namespaces, each for its own
        for (int n = 0; n < 30; n++) {
          h.user("system:serviceaccount:tenant-" + n + ":innocent-" + number);
          double start = Habits.SECONDS * h.random().nextDouble();
          h.namespaced(start, "list", h.address(base + n), "pods", "tenant-" + n, "?limit=500");
          h.namespaced(
              start + 1, "watch", h.address(base + n), "pods", "tenant-" + n, "?resourceVersion=7");
        }
      }
      case 9 -> { // watches that go on each second where they were
        h.informer(9, at, "pods");
        for (int s = 10; s < Habits.SECONDS; s++) {
          h.add(s, "watch", at, "pods", "?resourceVersion=" + s, 200);
        }
      }
      case 10 -> { // a page's worth for a dashboard, of one namespace
        h.namespaced(5, "list", at, "pods", "small", "");
        for (int s = 10; s < Habits.SECONDS; s += 15) {
          h.namespaced(s, "list", at, "pods", "small", "?limit=20");
        }
      }
      case 11 -> { // a watch that expired twice, and was begun anew
        for (int s : new int[] {10, 1_400, 2_600}) {
          h.add(s, "watch", at, "pods", "?resourceVersion=3", 410);
          h.informer(s + 1, at, "pods");
        }
      }
      case 12 -> { // a controller that lists once at each of its leader's changes
        for (int i = 0; i < 4; i++) {
          h.list(20 + 850 * i, h.address(base + i % 2), "nodes", "?resourceVersion=0");
        }
      }
      case 13 -> { // an autoscaler's nodes, in a wave, each with its own informers
        for (int i = 0; i < 25; i++) {
          String node = "&fieldSelector=spec.nodeName%3Dx" + i;
          double start = 1_000 + 50 * h.random().nextDouble();
          h.list(start, h.address(base + i), "pods", "?limit=500&resourceVersion=0" + node);
          for (double s = start + 1; s < Habits.SECONDS; s += 430) {
            h.add(s, "watch", h.address(base + i), "pods", "?resourceVersion=7" + node, 200);
          }
        }
      }
      case 14 -> { // one job after the other, each minute, for its own namespace
        for (int s = 0; s < Habits.SECONDS; s += 60) {
          h.asPod("" + (29_400_000 + s));
          h.namespaced(
              s + h.random().nextDouble(), "list", h.address(base + s), "pods", "small", "");
        }
      }
      default -> { // whoever collects garbage: all of everything, once, and then its changes
        for (String resource : new String[] {"pods", "nodes", "configmaps", "namespaces"}) {
          h.informer(3, at, resource);
          for (int s = 400; s < Habits.SECONDS; s += 480) {
            h.add(s, "watch", at, resource, "?resourceVersion=9", 200);
          }
        }
      }
    }
  }
}
