// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Await;
import io.exaplane.tuning.lists.ClientKey;
import io.exaplane.tuning.lists.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client with a habit, good or bad.
 *
 * @param account of the token that it shows
 * @param programs user agents without their versions
 * @param expected what the analyser is to say of it
 */
record ListClient(
    String name, String account, Set<String> programs, Set<Finding> expected, Habit habit) {
  /** Of the accounts, which are service accounts in one namespace; their tokens are their names. */
  static final List<String> NAMES =
      List.of(
          "informer",
          "streamer",
          "pager",
          "glancer",
          "elector",
          "eventreader",
          "nodeagent",
          "herd",
          "poller",
          "limiter",
          "selector",
          "exact",
          "shared",
          "retrier",
          "discoverer");

  /**
   * The analyser looks at one minute at a time and needs ten of them in it, and more than half:
   * wherever a minute ends, one of two has eleven.
   */
  private static final int HERD = 21;

  private static final String PODS = "/api/v1/pods";
  private static final Pattern UID = Pattern.compile("\"uid\":\"([^\"]+)\"");
  private static final Pattern CONTINUE = Pattern.compile("\"continue\":\"([^\"]+)\"");
  private static final Pattern GROUP_VERSION =
      Pattern.compile("\"groupVersion\":\"([^\"]+/[^\"]+)\"");

  /** What it does. */
  interface Habit {
    void run() throws Exception;
  }

  static String account(String name) {
    return "system:serviceaccount:tools:" + name;
  }

  boolean is(ClientKey key) {
    return account.equals(key.account()) && programs.contains(key.program());
  }

  /** Whether it comes back later, and is known by that. */
  boolean returns() {
    return expected.contains(Finding.POLLING) || expected.contains(Finding.RESTARTS_IN_STEP);
  }

  /**
   * Whether the server chooses: it reads the store when its cache no longer has the revision, which
   * happens on a busy machine, and no line of the audit log says so.
   */
  boolean mayBeServedByEither() {
    return name.equals("exact") && Clusters.isOn("ListFromCacheSnapshot");
  }

  void run() throws Exception {
    habit.run();
  }

  static List<ListClient> all(ControlPlane controlPlane) {
    boolean snapshots = Clusters.isOn("ListFromCacheSnapshot");
    List<ListClient> clients = new ArrayList<>();
    clients.add(one(controlPlane, "informer", Set.of(), http -> informer(http, "")));
    if (Clusters.isOn("WatchList")) {
      clients.add(one(controlPlane, "streamer", Set.of(), ListClient::streamer));
    }
    clients.add(
        one(
            controlPlane,
            "pager",
            snapshots ? Set.of() : Set.of(Finding.PAGES_FROM_STORE),
            ListClient::pager));
    clients.add(one(controlPlane, "glancer", Set.of(), ListClient::glancer));
    clients.add(one(controlPlane, "elector", Set.of(), ListClient::elector));
    clients.add(one(controlPlane, "eventreader", Set.of(), ListClient::eventReader));
    clients.add(nodeAgents(controlPlane));
    clients.add(restarting(controlPlane));
    clients.add(one(controlPlane, "poller", Set.of(Finding.POLLING), http -> repeat(http, 8, "")));
    clients.add(
        one(
            controlPlane,
            "limiter",
            Set.of(Finding.LIMIT_IGNORED, Finding.POLLING),
            http -> repeat(http, 6, "?limit=100&resourceVersion=0")));
    clients.add(
        one(
            controlPlane,
            "selector",
            Set.of(Finding.SELECTOR_WITHOUT_INDEX, Finding.POLLING),
            http -> repeat(http, 7, "?labelSelector=app%3Dfew&resourceVersion=0")));
    clients.add(
        one(
            controlPlane,
            "exact",
            snapshots ? Set.of(Finding.POLLING) : Set.of(Finding.POLLING, Finding.EXACT_READS),
            ListClient::exact));
    clients.add(shared(controlPlane));
    clients.add(
        one(
            controlPlane,
            "retrier",
            Set.of(Finding.RETRY_STORM),
            http -> retrier(controlPlane, http)));
    clients.add(
        one(controlPlane, "discoverer", Set.of(Finding.COLD_DISCOVERY), ListClient::discoverer));
    return clients;
  }

  private interface Requests {
    void send(Client client) throws Exception;
  }

  private static ListClient one(
      ControlPlane controlPlane, String name, Set<Finding> expected, Requests requests) {
    return new ListClient(
        name,
        account(name),
        Set.of(name),
        expected,
        () -> as(controlPlane, name, name + "/v1.0", "127.0.0.1", requests));
  }

  private static void as(
      ControlPlane controlPlane, String name, String program, String address, Requests requests)
      throws Exception {
    try (Client client = new Client(controlPlane.uri("/"), name, program, address)) {
      requests.send(client);
    }
  }

  private static void informer(Client client, String selector) throws Exception {
    String list = client.get(PODS + "?limit=500&resourceVersion=0" + selector);
    client.watch(PODS + "?allowWatchBookmarks=true&resourceVersion=" + revision(list) + selector);
  }

  private static void streamer(Client client) throws Exception {
    client.watchToBookmark(
        PODS
            + "?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
  }

  private static void pager(Client client) throws Exception {
    String path = "/api/v1/namespaces/" + ListedPods.LARGE + "/pods?limit=300";
    String next = client.get(path);
    for (Matcher more = CONTINUE.matcher(next); more.find(); more = CONTINUE.matcher(next)) {
      next = client.get(path + "&continue=" + more.group(1));
    }
  }

  private static void glancer(Client client) throws Exception {
    for (int i = 0; i < 20; i++) {
      client.get("/api/v1/namespaces/" + ListedPods.SMALL + "/pods");
    }
  }

  private static void elector(Client client) throws Exception {
    for (int i = 0; i < 20; i++) {
      client.get("/api/v1/namespaces/" + ListedPods.SMALL + "/pods/p0");
    }
  }

  private static void eventReader(Client client) throws Exception {
    client.get("/api/v1/events");
  }

  private static void repeat(Client client, int times, String query) throws Exception {
    for (int i = 0; i < times; i++) {
      client.get(PODS + query);
    }
  }

  private static void exact(Client client) throws Exception {
    String revision = revision(client.get(PODS + "?limit=1"));
    repeat(client, 6, "?resourceVersionMatch=Exact&resourceVersion=" + revision);
  }

  /** On a level that executes one request at a time, while one that never ends is executed. */
  private static void retrier(ControlPlane controlPlane, Client client) throws Exception {
    String small = "/api/v1/namespaces/" + ListedPods.SMALL + "/pods";
    String level = refuse(controlPlane, account("retrier"));
    Await.until("the level is used", () -> client.level(small).equals(level));
    EndlessRequest seat = onTheOnlySeat(client, small);
    try {
      for (int refused = 0; refused < 200; ) {
        if (client.isRefused(PODS)) {
          refused++;
        } else {
          // The server ended the endless one after a minute, which a busy one takes for all these.
          seat.close();
          seat = onTheOnlySeat(client, small);
        }
      }
    } finally {
      seat.close();
    }
  }

  /** A seat is given back a moment after its answer came, so a request may itself be refused. */
  private static EndlessRequest onTheOnlySeat(Client client, String path) throws Exception {
    EndlessRequest[] endless = {client.endlessPost(path)};
    Await.until(
        "a request that does not end has the only seat",
        () -> {
          if (endless[0].isAnswered()) {
            endless[0] = client.endlessPost(path);
            return false;
          }
          return client.isRefused(path);
        },
        () -> endless[0]);
    return endless[0];
  }

  /**
   * A priority level that executes one request of this account at a time, and rejects the others.
   *
   * @return the uid of the level
   */
  static String refuse(ControlPlane controlPlane, String account) throws Exception {
    String api = "/apis/flowcontrol.apiserver.k8s.io/v1/";
    String level =
        controlPlane.create(
            api + "prioritylevelconfigurations",
            """
            {"metadata":{"name":"none"},"spec":{"type":"Limited","limited":{"nominalConcurrencyShares":0,
             "lendablePercent":0,"borrowingLimitPercent":0,"limitResponse":{"type":"Reject"}}}}
            """);
    controlPlane.create(
        api + "flowschemas",
        """
        {"metadata":{"name":"none"},"spec":{"matchingPrecedence":50,"priorityLevelConfiguration":{"name":"none"},
         "rules":[{"subjects":[{"kind":"User","user":{"name":"%s"}}],"resourceRules":[{"verbs":["*"],"apiGroups":["*"],
         "resources":["*"],"clusterScope":true,"namespaces":["*"]}]}]}}
        """
            .formatted(account));
    return UID.matcher(level).results().findFirst().orElseThrow().group(1);
  }

  private static void discoverer(Client client) throws Exception {
    for (int i = 0; i < 3; i++) {
      Matcher groupVersions = GROUP_VERSION.matcher(client.get("/apis"));
      while (groupVersions.find()) {
        client.get("/apis/" + groupVersions.group(1) + "?timeout=32s");
      }
    }
  }

  private static ListClient nodeAgents(ControlPlane controlPlane) {
    String name = "nodeagent";
    return new ListClient(
        name,
        account(name),
        Set.of(name),
        Set.of(),
        () -> {
          for (int i = 0; i < 5; i++) {
            String node = "&fieldSelector=spec.nodeName%3Dnode-" + i;
            as(
                controlPlane,
                name,
                name + "/v1",
                "127.0.1." + (i + 1),
                http -> informer(http, node));
          }
        });
  }

  private static ListClient restarting(ControlPlane controlPlane) {
    String name = "herd";
    return new ListClient(
        name,
        account(name),
        Set.of(name),
        Set.of(Finding.RESTARTS_IN_STEP),
        () -> {
          for (int i = 1; i <= HERD; i++) {
            as(controlPlane, name, name + "/v1", "127.0.2." + i, http -> informer(http, ""));
          }
        });
  }

  private static ListClient shared(ControlPlane controlPlane) {
    String name = "shared";
    return new ListClient(
        name,
        account(name),
        Set.of("scraper", "exporter"),
        Set.of(Finding.SHARED_ACCOUNT),
        () -> {
          as(controlPlane, name, "scraper/v1", "127.0.0.1", http -> informer(http, ""));
          as(controlPlane, name, "exporter/v2 (linux)", "127.0.0.1", http -> informer(http, ""));
        });
  }

  private static String revision(String list) {
    Matcher revision = Pattern.compile("\"resourceVersion\":\"(\\d+)\"").matcher(list);
    if (!revision.find()) {
      throw new AssertionError("no revision in " + list.substring(0, Math.min(300, list.length())));
    }
    return revision.group(1);
  }
}
