// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.tuning.discovery.ColdDiscovery;
import io.exaplane.tuning.discovery.Definitions;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Memory;
import io.exaplane.tuning.model.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What many CustomResourceDefinitions cost: a kubectl without a cache, and kube-apiserver's heap.
 * Both are looked at on one server's way to four hundred GroupVersions.
 */
@ExtendWith(ControlPlanes.Given.class)
@TestInstance(Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
class DiscoveryProcessTest {
  private static final JsonMapper JSON = new JsonMapper();
  private final List<Grown> grown = new ArrayList<>();
  private final List<Waited> waited = new ArrayList<>();
  private int definitions;
  private double heap;

  /** What each of some definitions with so many properties took of the heap. */
  private record Grown(int properties, double bytesEach) {}

  /**
   * Seconds that cold clients waited, where there were so many GroupVersions.
   *
   * @param limited of clients whose limiter lets a burst of requests through, and then some a
   *     second
   */
  private record Waited(
      int groupVersions,
      double aggregated,
      double unaggregated,
      int burst,
      int rate,
      double limited) {}

  @BeforeAll
  void measure(ControlPlanes controlPlanes, @TempDir Path folder) throws Exception {
    try (ControlPlane controlPlane = controlPlanes.startBeside(folder, Clusters.tuning(100))) {
      ColdKubectl kubectl = new ColdKubectl(controlPlane, folder);
      int builtIn = groupVersions(controlPlane);
      heap = LiveHeap.settled(controlPlane.uri("/"));
      grow(controlPlane, 200 - builtIn, 5);
      await(controlPlane, 200);
      waited.add(cold(kubectl, 200, 100, 20));
      grow(controlPlane, 40, 100);
      grow(controlPlane, 40, 400);
      create(controlPlane, 120, 5);
      await(controlPlane, 400);
      waited.add(cold(kubectl, 400, 350, 10));
    }
  }

  @Execution(ExecutionMode.SAME_THREAD)
  @Test
  void coldClientsWaitAsLongAsTheModelSays() {
    for (Waited at : waited) {
      int count = at.groupVersions();
      assertThat(at.aggregated()).as("%s", at).isLessThan(at.unaggregated());
      double model = ColdDiscovery.unaggregated(count, at.burst(), at.rate()).seconds();
      System.out.printf(
          "%s, %.2f s by the model (wanted: aggregated 1 s, unaggregated %.0f s)%n",
          at, model, count / 20.0);
      // The limiter makes it wait; what the requests take by themselves, the machine decides.
      assertThat(at.limited())
          .as("%s", at)
          .isBetween(0.75 * model, 1.25 * model + at.unaggregated());
    }
    assertThat(waited).hasSize(2);
  }

  @Execution(ExecutionMode.SAME_THREAD)
  @Test
  void definitionsTakeTheMemoryThatTheModelSays() throws Exception {
    for (Grown each : grown) {
      double model = Memory.definitionBytes(shape(each.properties()));
      System.out.printf(
          "%d properties: %s each, %s by the model%n",
          each.properties(), Bytes.text(each.bytesEach()), Bytes.text(model));
      assertThat(each.bytesEach())
          .as("bytes of %d properties", each.properties())
          .isCloseTo(model, within(model / 4));
    }
    assertThat(grown).hasSize(3);
  }

  private static Shape shape(int properties) throws Exception {
    JsonNode definition = JSON.valueToTree(Definitions.of(0, 1, properties, 1).getFirst());
    int bytes = definition.at("/spec/versions/0/schema").toString().length();
    return Shape.of(Map.of(Input.CRD_SCHEMA_KIB, Double.toString(bytes / 1024.0)), Clusters.MATRIX);
  }

  /**
   * What clients wait as they are, and with a limiter that takes five seconds, so that a busy
   * machine does not decide.
   */
  private static Waited cold(ColdKubectl kubectl, int groupVersions, int burst, int rate)
      throws Exception {
    return new Waited(
        groupVersions,
        kubectl.aggregated(),
        kubectl.unaggregated(300, 50),
        burst,
        rate,
        kubectl.unaggregated(burst, rate));
  }

  /**
   * Creates definitions, lists each kind, as garbage collection does in every cluster, and looks at
   * what that took of the heap.
   */
  private void grow(ControlPlane controlPlane, int count, int properties) throws Exception {
    int first = definitions;
    create(controlPlane, count, properties);
    for (Map<String, Object> manifest : Definitions.of(first, count, properties, first + count)) {
      JsonNode spec = JSON.valueToTree(manifest).path("spec");
      String kind =
          "/apis/%s/v1/%s"
              .formatted(spec.path("group").asText(), spec.path("names").path("plural").asText());
      Await.until(kind + " is served", () -> Http.get(controlPlane.uri(kind)).statusCode() == 200);
    }
    double before = heap;
    heap = LiveHeap.settled(controlPlane.uri("/"));
    grown.add(new Grown(properties, (heap - before) / count));
  }

  /** Each in a group of its own. */
  private void create(ControlPlane controlPlane, int count, int properties) throws Exception {
    int first = definitions;
    definitions += count;
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

  private static void await(ControlPlane controlPlane, int count) throws Exception {
    Await.until(count + " GroupVersions", () -> groupVersions(controlPlane) == count);
  }
}
