// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client that raises a number in a Lease of a hosted API every 100 ms, with the resourceVersion
 * that it saw last. Nobody else writes the Lease. The client repeats nothing but what {@link
 * Requests} does; after a conflict it reads the Lease, and goes on.
 */
final class LeaseClient implements AutoCloseable {
  private static final long PERIOD_MS = 100;
  private static final String NAMESPACE = "default";

  private final KubernetesClient client;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("lease").factory());
  private final Requests requests = new Requests();
  private final AtomicInteger conflicts = new AtomicInteger();
  private final AtomicInteger raised = new AtomicInteger();
  private final String name;
  private Lease last;

  LeaseClient(String controlPlane, String namespace, String name) {
    this.name = name;
    client = Hosted.newClient(controlPlane, namespace);
    client.getConfiguration().setRequestRetryBackoffLimit(0);
    last =
        client
            .resource(
                new LeaseBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .withNamespace(NAMESPACE)
                    .endMetadata()
                    .withNewSpec()
                    .withLeaseTransitions(0)
                    .endSpec()
                    .build())
            .create();
    thread.scheduleAtFixedRate(this::raise, 0, PERIOD_MS, TimeUnit.MILLISECONDS);
  }

  /** A failure that is not noted would end all that come after. */
  private void raise() {
    requests.attempt("write", () -> write(raised(last)));
  }

  private static Lease raised(Lease lease) {
    return new LeaseBuilder(lease)
        .editSpec()
        .withLeaseTransitions(lease.getSpec().getLeaseTransitions() + 1)
        .endSpec()
        .build();
  }

  private void write(Lease wanted) {
    try {
      last = client.resource(wanted).update();
      raised.incrementAndGet();
    } catch (KubernetesClientException refused) {
      if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw refused;
      }
      conflicts.incrementAndGet();
      last = client.leases().inNamespace(NAMESPACE).withName(name).get();
    }
  }

  /** Writes that were refused since the Lease has another resourceVersion. */
  int conflicts() {
    return conflicts.get();
  }

  /** What was seen so far, printed as one line. */
  Requests.Report report(String title) {
    return requests.report(title);
  }

  /** Ends it after its request, and returns how far the Lease is above what was acknowledged. */
  int unacknowledged() {
    thread.close();
    Lease now = client.leases().inNamespace(NAMESPACE).withName(name).get();
    return now.getSpec().getLeaseTransitions() - raised.get();
  }

  @Override
  public void close() {
    thread.close();
    client.close();
  }
}
