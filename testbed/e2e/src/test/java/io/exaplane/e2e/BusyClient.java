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
 * but what {@link Requests} does.
 */
final class BusyClient implements AutoCloseable {
  private static final long PERIOD_MS = 100;
  private static final String NAME = "busy-client";

  private final KubernetesClient client;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name(NAME).factory());

  private final Requests requests = new Requests();
  private long writes;

  BusyClient(String controlPlane, String namespace) {
    client = Hosted.newClient(controlPlane, namespace);
    client.getConfiguration().setRequestRetryBackoffLimit(0);
    thread.scheduleAtFixedRate(this::both, 0, PERIOD_MS, TimeUnit.MILLISECONDS);
  }

  private void both() {
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
