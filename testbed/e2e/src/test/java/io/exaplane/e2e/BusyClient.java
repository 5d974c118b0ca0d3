// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A client that reads and writes an object of a hosted API every 100 ms. The client repeats nothing
 * but what {@link Requests} does. One thread makes all requests.
 */
final class BusyClient implements AutoCloseable {
  private static final long PERIOD_MS = 100;
  private static final String NAME = "busy-client";

  private final String controlPlane;
  private final String namespace;
  private final boolean follows;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name(NAME).factory());

  private final Requests requests = new Requests();
  private String kubeconfig;
  private volatile KubernetesClient client;
  private long writes;

  /** With the credentials that the kubeconfig Secret holds now. */
  BusyClient(String controlPlane, String namespace) {
    this(controlPlane, namespace, false);
  }

  private BusyClient(String controlPlane, String namespace, boolean follows) {
    this.controlPlane = controlPlane;
    this.namespace = namespace;
    this.follows = follows;
    kubeconfig = Hosted.kubeconfig(controlPlane, namespace);
    client = connect(kubeconfig);
    thread.scheduleAtFixedRate(this::both, 0, PERIOD_MS, TimeUnit.MILLISECONDS);
  }

  /**
   * With the credentials that the kubeconfig Secret holds at each moment, by a new connection for
   * each change of the Secret.
   */
  static BusyClient following(String controlPlane, String namespace) {
    return new BusyClient(controlPlane, namespace, true);
  }

  private static KubernetesClient connect(String kubeconfig) {
    KubernetesClient connected = Hosted.connect(kubeconfig);
    connected.getConfiguration().setRequestRetryBackoffLimit(0);
    return connected;
  }

  private void follow() {
    try {
      String now = Hosted.kubeconfig(controlPlane, namespace);
      if (!now.equals(kubeconfig)) {
        KubernetesClient former = client;
        client = connect(now);
        kubeconfig = now;
        former.close();
      }
    } catch (RuntimeException | AssertionError e) {
      // A task that throws is never run again, and the former credentials still hold for a while.
      System.err.println("the kubeconfig Secret is read again: " + e.getMessage());
    }
  }

  private void both() {
    if (follows) {
      follow();
    }
    requests.attempt(
        "write",
        () -> {
          ConfigMap wanted =
              new ConfigMapBuilder()
                  .withNewMetadata()
                  .withName(NAME)
                  .withNamespace("default")
                  .endMetadata()
                  .withData(Map.of("write", Long.toString(++writes)))
                  .build();
          client.resource(wanted).forceConflicts().serverSideApply();
        });
    requests.attempt("read", () -> client.configMaps().inNamespace("default").withName(NAME).get());
  }

  /** What was seen so far, printed as one line. */
  Requests.Report report(String title) {
    return requests.report(title);
  }

  @Override
  public void close() {
    thread.shutdownNow();
    client.close();
  }
}
