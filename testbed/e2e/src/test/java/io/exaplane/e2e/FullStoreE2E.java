// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A control plane that somebody fills goes on: its leaders renew their Leases, its apiservers start
 * on what the store holds, deletions make room that is usable at once. Here its store takes 128
 * MiB, about a hundred objects of 900 KB: filling and loading the 1.9 GB that a store of the usual
 * memory takes would need most of the machine's memory and minutes. {@link FullDemoE2E} fills the
 * sample itself.
 *
 * <p>Other steps run beside this one, and a process that gets no CPU for ten seconds loses its
 * Lease whatever the store does. So only a renewal that the store refused fails this test; {@link
 * FullDemoE2E} allows no lost Lease.
 */
@Order(68)
@Tag("own")
class FullStoreE2E {
  private static Scratch scratch;

  @BeforeAll
  static void up() {
    scratch =
        new Scratch(
            "full",
            Bed.VERSION,
            """
              apiServer: {tuning: {shutdownDelay: 2s}, resources: {requests: {cpu: 20m, memory: 512Mi}}}
              controllerManager: {replicas: 1, resources: {requests: {cpu: 10m, memory: 64Mi}}}
              scheduler: {replicas: 1, resources: {requests: {cpu: 10m, memory: 64Mi}}}
              rollout: {minReadySeconds: 1}
              storage:
                deletion: Delete
                stores:
                - {name: default, memory: {quota: 128Mi}, resources: {requests: {cpu: 25m, memory: 1Gi}}}
                - {name: events, criticality: BestEffort, resources: {requests: {cpu: 5m, memory: 128Mi}}}
            """);
    scratch.awaitSettled(Duration.ofMinutes(5));
  }

  @AfterAll
  static void gone() {
    scratch.close();
  }

  @Test
  void whoFillsAControlPlaneDoesNotEndIt() {
    new FullControlPlane(scratch.name, scratch.namespace, LargeObject.CONFIG_MAPS).goesOn();
  }
}
