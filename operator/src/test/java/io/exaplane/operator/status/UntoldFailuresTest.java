// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.dependent.MemoryApi;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Line 31: failures that the SDK keeps to itself; no status tells of them. */
class UntoldFailuresTest {
  private static final Exception REFUSED =
      failure(403, "admission webhook \"w.example\" denied the request: frozen");

  private final ControlPlane controlPlane = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");

  @Test
  void aFinalizerThatCannotBeSetIsToldOnce() throws Exception {
    assertThat(told(controlPlane, REFUSED, REFUSED, failure(403, "exceeded quota: q, x")))
        .hasSize(2)
        .anySatisfy(event -> assertThat(event).contains("Webhook w.example", "WriteRefused"))
        .anySatisfy(event -> assertThat(event).contains("ResourceQuota q"));
  }

  /** Another's finalizer makes no status: the SDK reconciles only with its own. */
  @Test
  void aFinalizerOfSomebodyElseHidesNothing() throws Exception {
    controlPlane.addFinalizer("backup.example/held");
    assertThat(told(controlPlane, REFUSED)).hasSize(1);
  }

  @Test
  void soIsARemovalThatFails() throws Exception {
    controlPlane.addFinalizer("controlplanes.exaplane.io/finalizer");
    controlPlane.getMetadata().setDeletionTimestamp("2026-11-26T10:00:00Z");
    assertThat(told(controlPlane, REFUSED)).hasSize(1);
    assertThat(told(controlPlane, new IllegalStateException("a fault")))
        .singleElement()
        .asString()
        .contains("a fault", "Report this");
  }

  /** The reconciler writes those into the status. */
  @Test
  void aPassThatFailedIsToldElsewhere() throws Exception {
    controlPlane.addFinalizer("controlplanes.exaplane.io/finalizer");
    assertThat(told(controlPlane, REFUSED)).isEmpty();
    assertThat(
            told(
                new ServiceBuilder().withNewMetadata().withName("s").endMetadata().build(),
                REFUSED))
        .isEmpty();
  }

  @Test
  void whatPassesIsNoNews() throws Exception {
    assertThat(told(controlPlane, failure(409, "the object has been modified"))).isEmpty();
  }

  /** What was mended and comes again is news. */
  @Test
  void afterAPassThatEndedItIsToldAgain() throws Exception {
    try (MemoryApi api = new MemoryApi()) {
      EventRecorder events = Recorders.of(api.client(), Clock.systemUTC());
      UntoldFailures failures = new UntoldFailures(events);
      failures.failedReconciliation(controlPlane, REFUSED, Map.of());
      failures.finishedReconciliation(controlPlane, Map.of());
      failures.failedReconciliation(controlPlane, REFUSED, Map.of());
      Recorders.close(events);
      assertThat(events(api)).hasSize(2);
    }
  }

  private static List<String> told(HasMetadata about, Exception... failures) throws Exception {
    try (MemoryApi api = new MemoryApi()) {
      EventRecorder events = Recorders.of(api.client(), Clock.systemUTC());
      UntoldFailures untold = new UntoldFailures(events);
      for (Exception failure : failures) {
        untold.failedReconciliation(about, failure, Map.of());
      }
      Recorders.close(events);
      return events(api);
    }
  }

  private static List<String> events(MemoryApi api) {
    return api.objects().values().stream().map(ObjectNode::toString).toList();
  }

  private static Exception failure(int code, String message) {
    return new KubernetesClientException(
        new StatusBuilder().withCode(code).withReason("Forbidden").withMessage(message).build());
  }
}
