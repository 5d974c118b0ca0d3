// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.tuning.lists.ListQuery;
import io.exaplane.tuning.lists.ServedBy;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.MinorVersion;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What the ways to ask for the same objects cost a kube-apiserver and its clients. */
public final class ListBench {
  /** The server's CPU time comes in hundredths of a second: shorter runs would not show. */
  public static final double LEAST_SECONDS = 1;

  private final ApiServer server;
  private final String resource;
  private final String collection;
  private final int runs;
  private final double leastSeconds;
  private double scrapeCpuSeconds;
  private double idleCores;

  /**
   * For a resource of a group.
   *
   * @param resource as pods or apps/deployments; with a version in the middle for others than v1
   * @param runs requests of each way, at least
   * @param leastSeconds for which each way is asked, at least; {@link #LEAST_SECONDS} tells small
   *     costs apart
   */
  public ListBench(
      ApiServer server,
      String resource,
      Optional<String> namespace,
      int runs,
      double leastSeconds) {
    this.server = server;
    this.resource = resource;
    this.collection = collection(resource, namespace);
    this.runs = runs;
    this.leastSeconds = leastSeconds;
  }

  /**
   * What one way costs.
   *
   * @param objects that came; unknown for protobuf
   * @param bytes on the wire
   * @param cpuMillis of the server, a request, what it does anyway left out
   * @param problem why there are no figures
   */
  public record Row(
      ListVariant variant,
      String servedBy,
      OptionalLong objects,
      long bytes,
      int requests,
      double medianMillis,
      double maxMillis,
      double cpuMillis,
      Optional<String> problem) {}

  /** Measures all ways, one after the other. */
  public List<Row> run() {
    MinorVersion version = server.version();
    ApiServer.Answer first =
        server.get(collection + "?limit=1", Map.of("Accept", ListVariant.JSON));
    if (first.status() == 404) {
      throw new InvalidInputException(
          "resource",
          resource,
          "does not exist",
          "write the plural name, for example pods, apps/deployments or example.org/v1alpha1/widgets");
    }
    JsonNode page = server.expect(first, collection).json();
    String revision = page.at("/metadata/resourceVersion").asText();
    Optional<String> node =
        resource.equals("pods")
            ? Optional.of(page.at("/items/0/spec/nodeName").asText("")).filter(n -> !n.isEmpty())
            : Optional.empty();
    boolean builtIn =
        server
                .get(
                    collection + "?limit=1",
                    Map.of("Accept", "application/vnd.kubernetes.protobuf"))
                .status()
            == 200;
    calibrate();
    List<Row> rows = new ArrayList<>();
    for (ListVariant variant : ListVariant.all(revision, node, builtIn)) {
      rows.add(measure(variant, version));
    }
    return rows;
  }

  /** What a look at the metrics costs, and what the server does by itself. */
  private void calibrate() {
    int looks = 5;
    ServerFigures before = server.figures();
    ServerFigures after = before;
    for (int i = 0; i < looks; i++) {
      after = server.figures();
    }
    scrapeCpuSeconds = after.cpuSince(before) / looks;
    ServerFigures idle = after;
    long start = System.nanoTime();
    Waiting.millis(2_000); // what it does in that time is what is looked at
    after = server.figures();
    double seconds = (System.nanoTime() - start) / 1e9;
    idleCores = Math.max(0, after.cpuSince(idle) - scrapeCpuSeconds) / seconds;
  }

  private Row measure(ListVariant variant, MinorVersion version) {
    String served =
        variant.stream()
            ? "cache"
            : ServedBy.of(version, ListQuery.of(variant.path(collection)), isCached())
                .name()
                .toLowerCase(java.util.Locale.ROOT);
    try {
      Answered warm = ask(variant, true);
      List<Double> millis = new ArrayList<>();
      ServerFigures before = server.figures();
      long start = System.nanoTime();
      double seconds = 0;
      while (millis.size() < runs || seconds < leastSeconds) {
        millis.add(1e3 * ask(variant, false).seconds());
        seconds = (System.nanoTime() - start) / 1e9;
      }
      double cpu = server.figures().cpuSince(before) - scrapeCpuSeconds - idleCores * seconds;
      double[] sorted = millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      return new Row(
          variant,
          variant.pages() ? served + ", then " + behind(version) : served,
          warm.objects(),
          warm.bytes(),
          sorted.length,
          sorted[sorted.length / 2],
          sorted[sorted.length - 1],
          Math.max(0, 1e3 * cpu / sorted.length),
          Optional.empty());
    } catch (MeasurementException | InvalidInputException refused) {
      return new Row(
          variant, served, OptionalLong.empty(), 0, 0, 0, 0, 0, Optional.of(refused.getMessage()));
    }
  }

  private String behind(MinorVersion version) {
    return ServedBy.of(version, ListQuery.of(collection + "?limit=500&continue=x"), isCached())
        .name()
        .toLowerCase(java.util.Locale.ROOT);
  }

  private boolean isCached() {
    return !resource.equals("events") && !resource.equals("events.k8s.io/events");
  }

  private record Answered(OptionalLong objects, long bytes, double seconds) {}

  /** Asks once; {@code counting} takes the client time that is not measured. */
  private Answered ask(ListVariant variant, boolean counting) {
    String path = variant.path(collection);
    if (variant.stream()) {
      InitialEvents events = InitialEvents.read(server, path, variant.headers());
      return new Answered(OptionalLong.of(events.objects()), events.bytes(), events.seconds());
    }
    ApiServer.Answer answer = server.fetch(path, variant.headers());
    boolean json = variant.accept().startsWith("application/json") && !answer.compressed();
    if (!json) {
      return new Answered(OptionalLong.empty(), answer.body().length, answer.seconds());
    }
    if (!variant.pages()) {
      return new Answered(
          counting ? OptionalLong.of(Items.count(answer.body())) : OptionalLong.empty(),
          answer.body().length,
          answer.seconds());
    }
    double seconds = answer.seconds();
    long bytes = answer.body().length;
    long objects = 0;
    while (true) {
      Items page = Items.of(answer.body());
      objects += page.count();
      if (page.next().isEmpty()) {
        return new Answered(OptionalLong.of(objects), bytes, seconds);
      }
      String more = path + "&continue=" + URLEncoder.encode(page.next(), StandardCharsets.UTF_8);
      answer = server.fetch(more, variant.headers());
      seconds += answer.seconds();
      bytes += answer.body().length;
    }
  }

  private static String collection(String resource, Optional<String> namespace) {
    String[] parts = resource.split("/");
    String inside = namespace.map(name -> "/namespaces/" + name).orElse("");
    return switch (parts.length) {
      case 1 -> "/api/v1" + inside + "/" + parts[0];
      case 2 -> "/apis/" + parts[0] + "/v1" + inside + "/" + parts[1];
      case 3 -> "/apis/" + parts[0] + "/" + parts[1] + inside + "/" + parts[2];
      default ->
          throw new InvalidInputException(
              "resource",
              resource,
              "must be resource, group/resource or group/version/resource",
              "name it as " + String.join("/", Arrays.copyOf(parts, 3)));
    };
  }
}
