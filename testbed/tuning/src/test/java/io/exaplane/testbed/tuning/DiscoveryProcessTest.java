// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.tuning.discovery.ColdDiscovery;
import io.exaplane.tuning.discovery.Definitions;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Memory;
import io.exaplane.tuning.model.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What many CustomResourceDefinitions cost: a kubectl without a cache, and kube-apiserver's heap.
 */
class DiscoveryProcessTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int RUNS = 3;
  @TempDir private Path folder;

  @Test
  void coldClientsWaitAsLongAsTheModelSays() throws Exception {
    try (ControlPlane controlPlane = ControlPlane.start(folder, Clusters.tuning(100))) {
      int builtIn = groupVersions(controlPlane);
      create(controlPlane, 0, 200 - builtIn, 100);
      awaitGroupVersions(controlPlane, 200);
      assertThat(aggregated(controlPlane)).isLessThan(1);
      assertThat(unaggregated(controlPlane, 300, 50)).isLessThan(10);
      limiterIsTheModels(controlPlane, 200, 100, 20);
      create(controlPlane, 200 - builtIn, 200, 100);
      awaitGroupVersions(controlPlane, 400);
      assertThat(aggregated(controlPlane)).isLessThan(1);
      assertThat(unaggregated(controlPlane, 300, 50)).isLessThan(20);
      limiterIsTheModels(controlPlane, 400, 300, 20);
      limiterIsTheModels(controlPlane, 400, 350, 10);
    }
  }

  @Test
  void definitionsTakeTheMemoryThatTheModelSays() throws Exception {
    try (ControlPlane controlPlane = ControlPlane.start(folder, Clusters.tuning(100))) {
      double before = LiveHeap.settled(controlPlane.uri("/"));
      int next = 0;
      for (int properties : new int[] {5, 100, 400}) {
        int count = 120;
        create(controlPlane, next, count, properties);
        next += count;
        double after = LiveHeap.settled(controlPlane.uri("/"));
        double each = (after - before) / count;
        double model = Memory.definitionBytes(shape(properties));
        System.out.printf(
            "%d properties: %s each, %s by the model%n",
            properties, Bytes.text(each), Bytes.text(model));
        assertThat(each)
            .as("bytes of %d properties", properties)
            .isCloseTo(model, within(model / 4));
        before = after;
      }
    }
  }

  private static Shape shape(int properties) throws Exception {
    JsonNode definition = JSON.valueToTree(Definitions.of(0, 1, properties, 1).getFirst());
    int bytes = definition.at("/spec/versions/0/schema").toString().length();
    return Shape.of(Map.of(Input.CRD_SCHEMA_KIB, Double.toString(bytes / 1024.0)), Clusters.MATRIX);
  }

  /** With limiters that take five seconds, so that a busy machine does not decide. */
  private void limiterIsTheModels(ControlPlane controlPlane, int count, int burst, int rate)
      throws Exception {
    awaitGroupVersions(controlPlane, count);
    double model = ColdDiscovery.unaggregated(count, burst, rate).seconds();
    double measured = unaggregated(controlPlane, burst, rate);
    System.out.printf(
        "%d GroupVersions, burst %d, %d/s: %.2f s, %.2f by the model%n",
        count, burst, rate, measured, model);
    assertThat(measured).isCloseTo(model, within(model / 4));
  }

  private double aggregated(ControlPlane controlPlane) throws Exception {
    return middle(controlPlane, Map.of());
  }

  private double unaggregated(ControlPlane controlPlane, int burst, int rate) throws Exception {
    return middle(
        controlPlane,
        Map.of(
            "DISCOVERY", "unaggregated",
            "DISCOVERY_BURST", Integer.toString(burst),
            "DISCOVERY_QPS", Integer.toString(rate)));
  }

  /**
   * The middle one of three: neither a moment in which the machine was busy nor one in which the
   * server lagged behind and had taken some GroupVersions out.
   */
  private double middle(ControlPlane controlPlane, Map<String, String> environment)
      throws Exception {
    double[] seconds = new double[RUNS];
    for (int i = 0; i < RUNS; i++) {
      seconds[i] = coldGetPods(controlPlane, environment);
    }
    Arrays.sort(seconds);
    return seconds[RUNS / 2];
  }

  private double coldGetPods(ControlPlane controlPlane, Map<String, String> environment)
      throws Exception {
    Path log = folder.resolve("kubectl.log");
    ProcessBuilder builder =
        new ProcessBuilder(
                Kubernetes.binary("kubectl-discovery"),
                "--kubeconfig=" + controlPlane.kubeconfig(),
                "--cache-dir=" + Files.createTempDirectory(folder, "cache"),
                "get",
                "pods")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    long start = System.nanoTime();
    int code = builder.start().waitFor();
    double seconds = (System.nanoTime() - start) / 1e9;
    assertThat(code).as(Files.readString(log)).isZero();
    return seconds;
  }

  /** Each in a group of its own. */
  private static void create(ControlPlane controlPlane, int first, int count, int properties)
      throws Exception {
    List<Callable<Void>> creations = new ArrayList<>();
    for (Map<String, Object> manifest : Definitions.of(first, count, properties, first + count)) {
      String body = JSON.writeValueAsString(manifest);
      creations.add(
          () -> {
            controlPlane.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body);
            return null;
          });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (Future<Void> done : threads.invokeAll(creations)) {
        done.get();
      }
    }
  }

  /** Those of /apis, and the one of /api. */
  private static int groupVersions(ControlPlane controlPlane) throws Exception {
    int count = 1;
    for (JsonNode group : JSON.readTree(Http.get(controlPlane.uri("/apis")).body()).get("groups")) {
      count += group.get("versions").size();
    }
    return count;
  }

  private static void awaitGroupVersions(ControlPlane controlPlane, int count) throws Exception {
    Await.until(count + " GroupVersions", () -> groupVersions(controlPlane) == count);
  }
}
