// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.tuning.model.InvalidInputException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * What all clients ask of one kube-apiserver within a time, by its own metrics. Immutable.
 *
 * @param server URL
 * @param seconds that were measured
 * @param nodes that existed at the end
 * @param requests the most frequent first; without the server's own, and without health and metrics
 * @param watches at the end, the server's own among them
 * @param store requests of the server to its stores, the most frequent first
 * @param cores that the server used in the mean
 * @param memoryBytes resident, at the end
 */
public record ServerView(
    String server,
    double seconds,
    long nodes,
    List<Requests> requests,
    List<Watches> watches,
    List<StoreRequests> store,
    double cores,
    double memoryBytes) {

  /**
   * Requests of one kind.
   *
   * @param verb LIST, GET, PUT, …; a WATCH counts when it ends
   * @param perNodeMinute for each node and minute; 0 without nodes
   */
  public record Requests(
      String verb, String resource, long count, double perSecond, double perNodeMinute) {}

  /**
   * Watches of one resource.
   *
   * @param perNode open ones; 0 without nodes
   * @param events that were sent to all of them
   */
  public record Watches(String resource, long open, double perNode, long events) {}

  /** Requests to stores. */
  public record StoreRequests(String operation, String resource, long count, double perSecond) {}

  /**
   * Looks, waits, and looks again.
   *
   * @throws InvalidInputException if the account may not get /metrics, or if two looks meet two
   *     servers
   */
  public static ServerView measure(ApiServer server, Duration time) {
    ServerPage before = ServerPage.parse(server.fetch("/metrics").text());
    long began = System.nanoTime();
    try {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
    } catch (InterruptedException e) {
      throw Waiting.interrupted(e);
    }
    ServerPage after = ServerPage.parse(server.fetch("/metrics").text());
    double seconds = (System.nanoTime() - began) / 1e9;
    return between(server.url(), before, after, nodes(server, after), seconds);
  }

  /** Servers count objects once a minute, so who may list nodes has the newer number. */
  private static long nodes(ApiServer server, ServerPage page) {
    ApiServer.Answer answer = server.get("/api/v1/nodes?limit=1", Map.of());
    if (answer.status() != HttpURLConnection.HTTP_OK) {
      return Math.round(page.nodes());
    }
    JsonNode list = answer.json();
    return list.path("items").size() + list.at("/metadata/remainingItemCount").asLong();
  }

  static ServerView between(
      String url, ServerPage before, ServerPage after, long nodes, double seconds) {
    return new ServerView(
        url,
        seconds,
        nodes,
        difference(before.requests(), after.requests()).stream()
            .map(
                each ->
                    new Requests(
                        each.first(),
                        each.second(),
                        each.count(),
                        each.count() / seconds,
                        nodes > 0 ? each.count() * 60 / seconds / nodes : 0))
            .toList(),
        watches(before, after, nodes),
        difference(before.store(), after.store()).stream()
            .map(
                each ->
                    new StoreRequests(
                        each.first(), each.second(), each.count(), each.count() / seconds))
            .toList(),
        after.figures().cpuSince(before.figures()) / seconds,
        after.figures().residentBytes());
  }

  private record Counted(String first, String second, long count) {}

  private static List<Counted> difference(Map<String, Double> before, Map<String, Double> after) {
    List<Counted> all = new ArrayList<>();
    after.forEach(
        (name, value) -> {
          long count = Math.round(value - before.getOrDefault(name, 0.0));
          if (count > 0) {
            int space = name.indexOf(' ');
            all.add(new Counted(name.substring(0, space), name.substring(space + 1), count));
          }
        });
    all.sort((a, b) -> Long.compare(b.count(), a.count()));
    return all;
  }

  private static List<Watches> watches(ServerPage before, ServerPage after, long nodes) {
    Set<String> resources = new TreeSet<>(after.watches().keySet());
    resources.addAll(after.events().keySet());
    List<Watches> all = new ArrayList<>();
    for (String each : resources) {
      long open = Math.round(after.watches().getOrDefault(each, 0.0));
      double sent =
          after.events().getOrDefault(each, 0.0) - before.events().getOrDefault(each, 0.0);
      if (open > 0 || sent > 0) {
        all.add(new Watches(each, open, nodes > 0 ? open / (double) nodes : 0, Math.round(sent)));
      }
    }
    all.sort((a, b) -> Long.compare(b.open(), a.open()));
    return all;
  }
}
