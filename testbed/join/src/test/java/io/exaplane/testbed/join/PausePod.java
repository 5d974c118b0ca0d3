// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import java.io.IOException;
import java.time.Duration;

/** A pod that only has an address. */
final class PausePod {
  private static final Duration START = Duration.ofMinutes(2);
  private static final String PODS = "/api/v1/namespaces/default/pods";

  private PausePod() {}

  /** Runs the pod on the host, whose containerd has the image, and gives its address. */
  static String run(Cluster cluster, Host host, String name) throws Exception {
    return run(cluster, host.name, name);
  }

  /** The same on the node of that name. */
  static String run(Cluster cluster, String node, String name) throws Exception {
    cluster.made(
        PODS,
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"}, "spec": {"nodeName": "%s", "automountServiceAccountToken": false,
         "terminationGracePeriodSeconds": 1, "tolerations": [{"operator": "Exists"}], "enableServiceLinks": false,
         "containers": [{"name": "p", "image": "registry.k8s.io/pause:3.10", "imagePullPolicy": "Never"}]}}
        """
            .formatted(name, node));
    String path = PODS + "/" + name;
    Await.until(
        START,
        "the pod runs",
        () -> cluster.got(path).path("status").path("phase").asText().equals("Running"),
        () -> cluster.got(path));
    return cluster.got(path).path("status").path("podIP").asText();
  }

  /** The pod is reached from this machine, and no packet is lost. */
  static void answers(String address) throws IOException {
    String said = Shell.must("busybox", "ping", "-6", "-c", "3", "-w", "60", address);
    assertThat(said).contains(" 0% packet loss");
  }

  static void delete(Cluster cluster, String name) throws Exception {
    cluster.deleted(PODS + "/" + name + "?gracePeriodSeconds=0");
  }
}
