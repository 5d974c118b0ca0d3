// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import io.exaplane.tuning.lists.Inventory.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** An hour of a cluster, made up: clients good and bad, by a seed. */
final class Habits {
  static final int SECONDS = 3_600;
  static final Inventory INVENTORY =
      new Inventory(
          Map.of(
              "pods", new Resource(20_000, 4_000, Map.of("small", 20.0)),
              "configmaps", new Resource(300_000, 2_000, Map.of("small", 20.0)),
              "nodes", new Resource(1_000, 8_000, Map.of()),
              "events", new Resource(50_000, 1_000, Map.of()),
              "leases", new Resource(1_000, 400, Map.of()),
              "namespaces", new Resource(100, 500, Map.of())),
          1_000);
  static final String STREAM =
      "?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  private static final String POD_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
  private static final String FIRST = "?limit=500&resourceVersion=0";
  private static final String WATCH = "?allowWatchBookmarks=true&resourceVersion=7";
  private final Random random;
  private final List<AuditEvent> events = new ArrayList<>();
  private String account = "";
  private String name = "";
  private String program = "";

  Habits(long seed) {
    random = new Random(seed);
  }

  /** In the order of their times. */
  List<AuditEvent> events() {
    events.sort(Comparator.comparingLong(AuditEvent::receivedMicros));
    return events;
  }

  Habits as(String client) {
    account = "system:serviceaccount:" + client + ":" + client;
    name = client;
    program = client;
    return this;
  }

  /** The same program with another account. */
  void user(String name) {
    account = name;
  }

  /** Another program with the same account. */
  void alsoAs(String name) {
    program = name;
  }

  /** The program calls itself by its pod's name, which begins with the client's. */
  void asPod(String middle) {
    StringBuilder pod = new StringBuilder(name).append('-').append(middle).append('-');
    for (int i = 0; i < 5; i++) {
      pod.append(POD_LETTERS.charAt(random.nextInt(POD_LETTERS.length())));
    }
    program = pod.toString();
  }

  Random random() {
    return random;
  }

  String address(int instance) {
    return "10." + (instance >> 16) + "." + (instance >> 8 & 255) + "." + (instance & 255);
  }

  void add(double second, String verb, String address, String resource, String query, int code) {
    if (second < SECONDS) {
      String path = "/api/v1/" + resource + query;
      events.add(
          new AuditEvent(
              verb,
              account,
              program + "/v1",
              address,
              path,
              resource,
              "",
              "",
              code,
              (long) (second * 1e6)));
    }
  }

  void inNamespace(double second, String verb, String address, String query) {
    namespaced(second, verb, address, "pods", "small", query);
  }

  void namespaced(
      double second, String verb, String address, String resource, String namespace, String query) {
    if (second < SECONDS) {
      events.add(
          new AuditEvent(
              verb,
              account,
              program + "/v1",
              address,
              "/api/v1/namespaces/" + namespace + "/" + resource + query,
              resource,
              namespace,
              "",
              200,
              (long) (second * 1e6)));
    }
  }

  void list(double second, String address, String resource, String query) {
    add(second, "list", address, resource, query, 200);
  }

  void informer(double second, String address, String resource) {
    list(second, address, resource, FIRST);
    add(second + 0.5, "watch", address, resource, WATCH, 200);
  }

  /** Again and again; jitter is the largest part of a period by which it is late. */
  void poll(double period, double jitter, String address, String resource, String query) {
    for (double second = random.nextDouble() * period;
        second < SECONDS;
        second += period * (1 + jitter * random.nextDouble())) {
      list(second, address, resource, query);
    }
  }

  /** Clients that do what they should; each is one of a kind, by its number. */
  void innocent(int number, int requests) {
    as("innocent-" + number);
    int base = 0x10000 * (1 + number % 200);
    switch (number % 10) {
      case 0 -> informer(random.nextInt(SECONDS), address(base), "pods");
      case 1 -> { // watches that are renewed
        informer(random.nextInt(60), address(base), "pods");
        for (int s = 300; s < SECONDS; s += 300 + random.nextInt(200)) {
          add(s, "watch", address(base), "pods", WATCH, 200);
        }
      }
      case 2 -> { // agents that ask about their own in the same minute, every five
        int phase = random.nextInt(300);
        for (int s = phase; s < SECONDS; s += 300) {
          for (int i = 0; i < 40; i++) {
            inNamespace(s + 20 * random.nextDouble(), "list", address(base + i), "");
          }
        }
      }
      case 3 -> { // the same, with a jitter
        for (int i = 0; i < 30; i++) {
          for (double s = 120 * random.nextDouble();
              s < SECONDS;
              s += 60 + 120 * random.nextDouble()) {
            inNamespace(s, "list", address(base + i), "?resourceVersion=0");
          }
        }
      }
      case 4 -> { // a slow rollout with new addresses
        for (int i = 0; i < 40; i++) {
          inNamespace(i, "list", address(base + i), FIRST);
          inNamespace(i + 0.5, "watch", address(base + i), WATCH);
          inNamespace(600 + 45.0 * i, "list", address(base + 1000 + i), FIRST);
          inNamespace(600.5 + 45.0 * i, "watch", address(base + 1000 + i), WATCH);
        }
      }
      case 5 -> { // jobs that come and go, a few a minute
        for (int s = 0; s < SECONDS; s += 20 + random.nextInt(20)) {
          inNamespace(s, "list", address(base + s), "");
        }
      }
      case 6 -> { // scaled up once
        for (int i = 0; i < 60; i++) {
          int at = i < 20 ? 5 : 1_800;
          inNamespace(at + 15 * random.nextDouble(), "list", address(base + i), FIRST);
          inNamespace(at + 16, "watch", address(base + i), WATCH);
        }
      }
      case 7 -> { // a person
        for (int i = 0; i < 5; i++) {
          list(random.nextInt(SECONDS), address(base), "nodes", "?limit=500");
        }
      }
      case 8 -> poll(1_200, 0.2, address(base), "nodes", "?resourceVersion=0");
      default -> { // agents of nodes, each for its own
        for (int i = 0; i < 50; i++) {
          informerOfNode(20 * random.nextDouble(), address(base + i), i);
        }
      }
    }
    for (int i = 0; i < requests; i++) {
      add(
          SECONDS * random.nextDouble(),
          i % 3 == 0 ? "update" : "get",
          address(base),
          "leases",
          "/x",
          200);
    }
  }

  private void informerOfNode(double second, String address, int node) {
    String select = "&fieldSelector=spec.nodeName%3Dn" + node;
    list(second, address, "pods", FIRST + select);
    add(second + 0.5, "watch", address, "pods", WATCH + select, 200);
  }
}
