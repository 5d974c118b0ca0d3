// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.cli.measure.ApiServer;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.Bytes;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What kube-controller-manager and kube-scheduler keep of a cluster's pods. */
@Tag("long")
class ControllerMemoryProcessTest {
  private static final int NODES = 20;
  private static final int PODS = 6_000;
  private static final List<String> OPEN =
      List.of("--authorization-always-allow-paths=/healthz,/metrics,/debug/*");
  @TempDir private Path folder;

  @Test
  void theyKeepAThirdMoreThanIsStored() throws Exception {
    Tuning tuning = Clusters.tuning(100);
    try (ControlPlane controlPlane =
        ControlPlane.start(folder, tuning, List.of("--disable-admission-plugins=ServiceAccount"))) {
      for (int i = 0; i < NODES; i++) {
        controlPlane.create("/api/v1/nodes", "{\"metadata\":{\"name\":\"node-" + i + "\"}}");
      }
      URI manager = controlPlane.startControllerManager(tuning, OPEN).page();
      URI scheduler = controlPlane.startScheduler(tuning, OPEN).page();
      double managerBefore = LiveHeap.settled(manager);
      double schedulerBefore = LiveHeap.settled(scheduler);
      createPods(controlPlane);
      double managerAfter = LiveHeap.settled(manager);
      double schedulerAfter = LiveHeap.settled(scheduler);
      double bytes = storedBytes(controlPlane, "/api/v1/namespaces/default/pods/p0");
      double ofManager = (managerAfter - managerBefore) / PODS / bytes;
      double ofScheduler = (schedulerAfter - schedulerBefore) / PODS / bytes;
      System.out.printf(
          "%d pods of %.0f bytes: controller manager %s to %s, %.2f of the stored; scheduler %s to %s, %.2f%n",
          PODS,
          bytes,
          Bytes.text(managerBefore),
          Bytes.text(managerAfter),
          ofManager,
          Bytes.text(schedulerBefore),
          Bytes.text(schedulerAfter),
          ofScheduler);
      assertThat(List.of(ofManager, ofScheduler)).allMatch(part -> part > 1 && part < 1.7);
    }
  }

  /** As the store has it: kube-apiserver answers with the same, plus its kind. */
  private static double storedBytes(ControlPlane controlPlane, String path) throws Exception {
    try (ApiServer server = ApiServer.connect(controlPlane.kubeconfig())) {
      return server
          .get(path, Map.of("Accept", "application/vnd.kubernetes.protobuf"))
          .body()
          .length;
    }
  }

  private static void createPods(ControlPlane controlPlane) throws Exception {
    List<Callable<Void>> creations = new ArrayList<>();
    for (int i = 0; i < PODS; i++) {
      String pod = pod(i);
      creations.add(
          () -> {
            controlPlane.create("/api/v1/namespaces/default/pods", pod);
            return null;
          });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (Future<Void> done : threads.invokeAll(creations)) {
        done.get();
      }
    }
  }

  /** Three containers with thirty variables each, as pods of services have. */
  private static String pod(int number) {
    StringBuilder containers = new StringBuilder();
    for (int c = 0; c < 3; c++) {
      StringBuilder variables = new StringBuilder();
      for (int v = 0; v < 30; v++) {
        variables.append(v == 0 ? "" : ",");
        variables.append(
            "{\"name\":\"SOME_VARIABLE_%d\",\"value\":\"a value of the pod %d, variable %d\"}"
                .formatted(v, number, v));
      }
      containers.append(c == 0 ? "" : ",");
      containers.append(
          """
          {"name":"c%d","image":"registry.example.org/team/image-%d:1.2.3","env":[%s],
           "resources":{"requests":{"cpu":"10m","memory":"10Mi"}},
           "volumeMounts":[{"name":"v","mountPath":"/v"}]}
          """
              .formatted(c, c, variables));
    }
    return """
        {"metadata":{"name":"p%d","labels":{"app":"some-app","version":"v%d"}},
         "spec":{"nodeName":"node-%d","volumes":[{"name":"v","emptyDir":{}}],"containers":[%s]}}
        """
        .formatted(number, number % 7, number % NODES, containers);
  }
}
