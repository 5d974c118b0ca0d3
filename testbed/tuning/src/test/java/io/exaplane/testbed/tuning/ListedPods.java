// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.testbed.machine.Http;
import io.exaplane.tuning.lists.Inventory;
import io.exaplane.tuning.lists.InventoryFile;
import io.exaplane.tuning.lists.MetricsPage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Pods in namespaces of very different sizes, on nodes that are not there. */
record ListedPods(Map<String, Integer> byNamespace, int nodes) {
  static final String LARGE = "large";
  static final String SMALL = "small";
  private static final int NODES = 20;
  private static final int PARALLEL = 16;
  private static final JsonMapper JSON = new JsonMapper();

  static ListedPods create(ControlPlane controlPlane, Random random) throws Exception {
    Map<String, Integer> byNamespace = new LinkedHashMap<>();
    byNamespace.put(LARGE, 1_200 + random.nextInt(300));
    byNamespace.put(SMALL, 15 + random.nextInt(10));
    byNamespace.put("middle", 200 + random.nextInt(400));
    for (String namespace : byNamespace.keySet()) {
      controlPlane.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
    }
    List<Callable<Void>> creations = new ArrayList<>();
    byNamespace.forEach(
        (namespace, count) -> {
          for (int i = 0; i < count; i++) {
            String pod = pod("p" + i, "node-" + i % NODES, i % 10 == 0 ? "few" : "many");
            creations.add(
                () -> {
                  controlPlane.create("/api/v1/namespaces/" + namespace + "/pods", pod);
                  return null;
                });
          }
        });
    try (ExecutorService threads = Executors.newFixedThreadPool(PARALLEL)) {
      for (Future<Void> done : threads.invokeAll(creations)) {
        done.get();
      }
    }
    for (int i = 0; i < 50; i++) {
      controlPlane.create("/api/v1/namespaces/" + SMALL + "/events", event(i));
    }
    return new ListedPods(byNamespace, NODES);
  }

  private static String pod(String name, String node, String app) {
    return """
        {"metadata":{"name":"%s","labels":{"app":"%s"}},
         "spec":{"nodeName":"%s","containers":[{"name":"c","image":"registry.example.org/image:1"}]}}
        """
        .formatted(name, app, node);
  }

  private static String event(int number) {
    return """
        {"metadata":{"name":"e%d"},"involvedObject":{"kind":"Pod","namespace":"%s","name":"p0"},"reason":"Tested","type":"Normal"}
        """
        .formatted(number, SMALL);
  }

  /** What the server's metrics say of objects, and the namespaces that they do not tell apart. */
  Inventory inventory(ControlPlane controlPlane) throws Exception {
    MetricsPage page = MetricsPage.parse(Http.get(controlPlane.uri("/metrics")).body());
    ObjectNode file = JSON.createObjectNode();
    ObjectNode namespaces = file.putObject("pods").putObject("namespaces");
    byNamespace.forEach(namespaces::put);
    file.putObject("nodes").put("objects", nodes);
    return InventoryFile.read(file, page.inventory());
  }
}
