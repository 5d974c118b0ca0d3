// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.tuning.lists.AuditLog;
import io.exaplane.tuning.lists.ClientReport;
import io.exaplane.tuning.lists.Cost;
import io.exaplane.tuning.lists.Finding;
import io.exaplane.tuning.lists.Inventory;
import io.exaplane.tuning.lists.ListAnalysis;
import io.exaplane.tuning.lists.MetricsPage;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The analyser on the audit log that a real kube-apiserver wrote of clients good and bad: each is
 * taken for what it is, and its cost is what the server counted while it alone was at work.
 */
@ExtendWith(ControlPlanes.Given.class)
class ListsProcessTest {
  /** LISTs of so long a time are one look of a program, and no polling. */
  private static final long LOOK_NS = 30_000_000_000L;

  @TempDir private Path folder;

  @Test
  void clientsAreTakenForWhatTheyAreAndCostWhatTheServerCounted(ControlPlanes controlPlanes)
      throws Exception {
    long seed = ControlPlanes.SEED;
    try (ControlPlane controlPlane = controlPlanes.shared(folder)) {
      // What other tests asked is none of the clients'.
      long begin = Files.size(controlPlanes.audit());
      ListedPods pods = controlPlanes.pods();
      List<ListClient> clients = new ArrayList<>(ListClient.all(controlPlane));
      Collections.shuffle(clients, new Random(seed));
      Map<ListClient, Cost> counted = new LinkedHashMap<>();
      for (ListClient client : clients) {
        counted.put(client, costOf(client, controlPlane));
      }
      long lookedNs = System.nanoTime();
      Await.until(
          "another LIST belongs to another look", () -> System.nanoTime() - lookedNs >= LOOK_NS);
      for (ListClient client : clients.stream().filter(ListClient::returns).toList()) {
        counted.merge(client, costOf(client, controlPlane), Cost::plus);
      }
      List<ClientReport> reports =
          analyse(controlPlanes.audit(), begin, pods.inventory(controlPlane));
      counted.forEach((client, cost) -> judge("seed " + seed, client, cost, reports));
      assertThat(reports)
          .filteredOn(report -> clients.stream().noneMatch(client -> client.is(report.client())))
          .as("nobody else is accused, seed %d", seed)
          .allSatisfy(report -> assertThat(report.findings()).isEmpty());
    }
  }

  private static Cost costOf(ListClient client, ControlPlane controlPlane) throws Exception {
    Counted before = Counted.now(controlPlane);
    client.run();
    return Counted.now(controlPlane).minus(before);
  }

  private static void judge(
      String seed, ListClient client, Cost counted, List<ClientReport> reports) {
    List<ClientReport> own = reports.stream().filter(report -> client.is(report.client())).toList();
    assertThat(own).as("%s: %s", seed, client.name()).isNotEmpty();
    Cost estimated = own.stream().map(ClientReport::cost).reduce(Cost.NOTHING, Cost::plus);
    System.out.printf(
        "%-16s store %,.0f estimated, %,.0f counted; cache %,.0f estimated, %,.0f counted%n",
        client.name(),
        estimated.storeObjects(),
        counted.storeObjects(),
        estimated.cacheObjects(),
        counted.cacheObjects());
    Set<Finding> found = new TreeSet<>();
    own.forEach(report -> found.addAll(report.findings().keySet()));
    assertThat(found)
        .as("%s: %s, %s", seed, client.name(), own)
        .isEqualTo(new TreeSet<>(client.expected()));
    // A few objects more or less: what the server itself reads meanwhile is counted, too.
    if (client.mayBeServedByEither()) {
      double all = counted.storeObjects() + counted.cacheObjects();
      assertThat(estimated.storeObjects() + estimated.cacheObjects())
          .as("%s: %s, objects", seed, client.name())
          .isCloseTo(all, within(0.3 * all + 10));
      return;
    }
    assertThat(estimated.storeObjects())
        .as("%s: %s, objects from the store", seed, client.name())
        .isCloseTo(counted.storeObjects(), within(0.3 * counted.storeObjects() + 10));
    assertThat(estimated.cacheObjects())
        .as("%s: %s, objects of the cache", seed, client.name())
        .isCloseTo(counted.cacheObjects(), within(0.3 * counted.cacheObjects() + 10));
  }

  private static List<ClientReport> analyse(Path audit, long begin, Inventory inventory)
      throws Exception {
    ListAnalysis analysis = new ListAnalysis(Clusters.version(), inventory);
    try (InputStream log = Files.newInputStream(audit)) {
      log.skipNBytes(begin);
      AuditLog.Read read = AuditLog.read(log, analysis::take);
      assertThat(read.unrecognised()).isZero();
    }
    return analysis.clients();
  }

  /**
   * What the server counted so far, of pods and events: objects of the store, of the cache, and in
   * watches' beginnings.
   */
  private record Counted(double store, double cache) {
    static Counted now(ControlPlane controlPlane) throws Exception {
      String page = Http.get(controlPlane.uri("/metrics")).body();
      double store = 0;
      double cache = 0;
      for (MetricsPage.Lists lists : MetricsPage.parse(page).lists()) {
        if (lists.resource().equals("pods") || lists.resource().equals("events")) {
          store += lists.storeFetched();
          cache += lists.cacheFetched();
        }
      }
      return new Counted(store, cache + initialEvents(page));
    }

    private static double initialEvents(String page) {
      return page.lines()
          .filter(
              line ->
                  line.startsWith("apiserver_init_events_total{")
                      && line.contains("resource=\"pods\""))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
          .sum();
    }

    Cost minus(Counted before) {
      return new Cost(store - before.store, cache - before.cache, 0, 0);
    }
  }
}
