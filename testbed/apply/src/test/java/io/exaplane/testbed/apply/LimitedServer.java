// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.MemoryLimit;
import io.exaplane.testbed.machine.Server;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kube-apiserver on a store of ours, in a control group with a limit of memory, and with the
 * GOMEMLIMIT that the model gives it there. Any thread asks; one thread closes.
 */
final class LimitedServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long MIB = 1 << 20;
  private static final int SAME = 3;

  private final MemoryLimit limit;
  private final Server store;
  private final Server server;
  private final int port;
  private final Path kubeconfig;

  private LimitedServer(MemoryLimit limit, Server store, Server server, int port, Path kubeconfig) {
    this.limit = limit;
    this.store = store;
    this.server = server;
    this.port = port;
    this.kubeconfig = kubeconfig;
  }

  static LimitedServer start(Path folder, long limitMib) throws Exception {
    String clients = "http://127.0.0.1:" + Machine.freePort();
    String pages = "http://127.0.0.1:" + Machine.freePort();
    int port = Machine.freePort();
    List<String> command = Machine.storeCommand();
    command.add("--name=definitions");
    command.add("--data-dir=" + folder.resolve("store"));
    command.add("--listen-client-urls=" + clients);
    command.add("--listen-metrics-urls=" + pages);
    Server store =
        Server.start(command, Map.of(), URI.create(pages + "/readyz"), folder.resolve("store.log"));
    MemoryLimit limit = MemoryLimit.of("definitions", limitMib * MIB);
    try {
      Server server =
          Server.start(
              limit.inside(ApiServerCommand.of(folder, clients, port, List.of())),
              Map.of("GOMEMLIMIT", limitMib * 85 / 100 + "MiB"),
              URI.create("https://127.0.0.1:%d/readyz".formatted(port)),
              folder.resolve("kube-apiserver.log"));
      return new LimitedServer(limit, store, server, port, kubeconfig(folder, port));
    } catch (Exception e) {
      store.close();
      limit.close();
      throw e;
    }
  }

  private static Path kubeconfig(Path folder, int port) throws Exception {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        {"apiVersion": "v1", "kind": "Config", "current-context": "c",
         "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:%d", "insecure-skip-tls-verify": true}}],
         "users": [{"name": "c", "user": {"token": "%s"}}], "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}]}
        """
            .formatted(port, Http.TOKEN));
  }

  Path kubeconfig() {
    return kubeconfig;
  }

  URI uri(String path) {
    return URI.create("https://127.0.0.1:%d%s".formatted(port, path));
  }

  /** Definitions that exist, without reading them. */
  int count() throws Exception {
    JsonNode list =
        JSON.readTree(
            Http.get(uri("/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=1"))
                .body());
    return list.path("items").size() + list.path("metadata").path("remainingItemCount").asInt(0);
  }

  /** Definitions that exist, and how many of them are established. */
  int[] definitions() throws Exception {
    JsonNode list =
        JSON.readTree(
            Http.get(
                    uri(
                        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?resourceVersion=0"))
                .body());
    int established = 0;
    for (JsonNode one : list.path("items")) {
      for (JsonNode condition : one.path("status").path("conditions")) {
        boolean is = condition.path("type").asText().equals("Established");
        established += is && condition.path("status").asText().equals("True") ? 1 : 0;
      }
    }
    return new int[] {list.path("items").size(), established};
  }

  /** The sum of the series of a metric whose labels have these words. */
  double metric(String name, String... words) throws Exception {
    return Http.get(uri("/metrics"))
        .body()
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> List.of(words).stream().allMatch(line::contains))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /**
   * Bytes of live heap, as the page of a collection tells them, when what came with the last change
   * has been done.
   */
  double settledHeap() throws Exception {
    Pattern heap = Pattern.compile("(?m)^# HeapAlloc = (\\d+)");
    double bytes = 0;
    long deadline = System.nanoTime() + 300_000_000_000L;
    for (int same = 0; same < SAME; ) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("the live heap does not settle within 300 s");
      }
      Thread.sleep(700); // some time without a change is what is asked
      Matcher page = heap.matcher(Http.get(uri("/debug/pprof/heap?gc=1&debug=1")).body());
      if (!page.find()) {
        throw new AssertionError("kube-apiserver does not tell its heap");
      }
      double now = Double.parseDouble(page.group(1));
      same = Math.abs(now - bytes) < 0.01 * now ? same + 1 : 0;
      bytes = now;
    }
    return bytes;
  }

  boolean isAlive() {
    return ProcessHandle.of(server.pid()).filter(ProcessHandle::isAlive).isPresent();
  }

  int kills() throws Exception {
    return limit.kills();
  }

  long peakBytes() throws Exception {
    return limit.peakBytes();
  }

  @Override
  public void close() throws IOException {
    server.close();
    store.close();
    limit.close();
  }
}
