// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Server;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A kube-apiserver that starts on a store that is full of one Kind, within the memory that the
 * model gives it, and is asked for all of it once.
 *
 * @param objects that it has loaded
 * @param storedBytes of their values
 * @param limitBytes what the model says that loading takes
 * @param peakBytes resident at most, until the LIST has ended
 * @param baseBytes of live heap of one that has loaded nothing of it
 * @param liveBytes of its heap afterwards
 * @param countedBytes of its memory that the store counts for the objects
 */
record ColdStart(
    Filling filling,
    int objects,
    double storedBytes,
    double limitBytes,
    double peakBytes,
    double baseBytes,
    double liveBytes,
    double countedBytes) {
  private static final List<String> MORE =
      List.of("--disable-admission-plugins=ServiceAccount,NamespaceLifecycle");

  /**
   * Fills a store of its own and starts there.
   *
   * @param bytes of values that are stored
   */
  static ColdStart of(Path folder, long nodes, Filling filling, double bytes) throws Exception {
    Server store = ControlPlane.startStore(folder);
    try (store) {
      Filled filled =
          fill(store, folder, nodes, filling, stored -> stored.copy(filling.key(), bytes));
      return start(store, folder, nodes, filling, filled, bytes);
    }
  }

  /**
   * Fills a store of its own until that refuses, by what kube-apiservers load, and starts there
   * with the model's memory for the nodes.
   */
  static ColdStart ofRefusing(Path folder, long nodes, Filling filling) throws Exception {
    Estimate estimate = Clusters.tuning(nodes).estimate();
    long quota = (long) estimate.objectMemory(estimate.memoryLimit());
    Server store = ControlPlane.startStore(folder, "--quota-load-bytes=" + quota);
    try (store) {
      Filled filled = fill(store, folder, nodes, filling, stored -> stored.fill(filling.key()));
      return start(store, folder, nodes, filling, filled, 0);
    }
  }

  private static ColdStart start(
      Server store, Path folder, long nodes, Filling filling, Filled filled, double bytes)
      throws Exception {
    try (ControlPlane cold = ControlPlane.measured(store, folder, tuning(nodes, bytes), flags())) {
      list(cold, filling);
      double peak = peak(cold.apiServer().pid());
      return new ColdStart(
          filling,
          filled.objects(),
          bytes > 0 ? bytes : metric(store, "exaplane_store_live_bytes"),
          limit(nodes, bytes),
          peak,
          filled.baseBytes(),
          LiveHeap.settled(cold.uri("/readyz")),
          metric(store, "exaplane_store_load_bytes"));
    }
  }

  private static double metric(Server store, String name) throws Exception {
    return Http.get(store.page().resolve("/metrics"))
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  private static double limit(long nodes, double bytes) {
    Estimate estimate = Clusters.tuning(nodes).estimate();
    return Math.max(estimate.memoryLimit(), estimate.memoryToLoad(bytes));
  }

  /** Of a kube-apiserver with the memory to load a store of so many bytes. */
  static Tuning tuning(long nodes, double bytes) {
    String memory = (long) (limit(nodes, bytes) / Bytes.MIB) + "Mi";
    return Clusters.unlisted(nodes, Map.of(Input.APISERVER_MEMORY, memory));
  }

  private static List<String> flags() {
    return Stream.concat(MORE.stream(), Stream.of("--etcd-prefix=/registry")).toList();
  }

  private record Filled(int objects, double baseBytes) {}

  /** Puts objects into a store, and says how many there are. */
  private interface Writer {
    int write(StoredObjects stored) throws Exception;
  }

  private static Filled fill(Server store, Path folder, long nodes, Filling filling, Writer writer)
      throws Exception {
    double base;
    try (ControlPlane warm =
        ControlPlane.on(store, folder, folder, Clusters.tuning(nodes), flags())) {
      filling.createOne(warm);
      base = LiveHeap.settled(warm.uri("/readyz"));
    }
    // That one is gone: it would load each object, too.
    try (StoredObjects stored = new StoredObjects(store.page())) {
      return new Filled(writer.write(stored), base);
    }
  }

  /** One LIST of all from the watch cache, whose answer nobody keeps. */
  private static void list(ControlPlane cold, Filling filling) throws Exception {
    URI all = cold.uri(filling.path() + "?resourceVersion=0");
    HttpRequest request =
        HttpRequest.newBuilder(all)
            .timeout(Duration.ofMinutes(5))
            .header("Authorization", "Bearer " + Http.TOKEN)
            .build();
    try (HttpClient client = Http.multiplexing()) {
      Await.until(
          "a LIST of " + filling,
          () -> {
            HttpResponse<Void> answer = client.send(request, BodyHandlers.discarding());
            return answer.statusCode() == 200;
          });
    }
  }

  private static double peak(long pid) throws Exception {
    try (Stream<String> status = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return status
              .filter(line -> line.startsWith("VmHWM:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
              .findFirst()
              .orElseThrow()
          * Bytes.KIB;
    }
  }

  /** Live heap by what is stored. */
  double ratio() {
    return (liveBytes - baseBytes) / storedBytes;
  }

  /** What the store counts by what the objects take. */
  double counted() {
    return countedBytes / (liveBytes - baseBytes);
  }

  @Override
  public String toString() {
    return "%s: %d objects, %s stored; limit %s, peak %s, live heap %s, %.1f times the stored; counted %s, %.2f times"
        .formatted(
            filling,
            objects,
            Bytes.text(storedBytes),
            Bytes.text(limitBytes),
            Bytes.text(peakBytes),
            Bytes.text(liveBytes),
            ratio(),
            Bytes.text(countedBytes),
            counted());
  }
}
