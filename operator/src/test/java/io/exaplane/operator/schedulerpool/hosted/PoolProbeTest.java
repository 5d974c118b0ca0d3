// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.SchedulerPoolStatus.Tree;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PoolProbeTest {
  private static final Duration BETWEEN = Duration.ofSeconds(2);
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static Lease lease(String holder, int renewed) {
    return Serialization.unmarshal(
        """
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: kube-scheduler}
        spec: {holderIdentity: "%s", leaseDurationSeconds: 3, renewTime: "1999-01-01T00:00:0%d.000000Z"}
        """
            .formatted(holder, renewed),
        Lease.class);
  }

  @Test
  void aLeaseIsHeldAsLongAsItChanges() {
    Lease first = lease("p-root-0_1-2", 1);
    LeaseWatch watch = LeaseWatch.next(null, first, NOON);
    assertThat(LeaseWatch.holder(first)).isEqualTo("p-root-0");
    assertThat(watch.isHeld(first, BETWEEN, NOON)).isTrue();
    watch = LeaseWatch.next(watch, first, NOON.plusSeconds(4));
    assertThat(watch.isHeld(first, BETWEEN, NOON.plusSeconds(4))).isTrue();
    assertThat(watch.isHeld(first, BETWEEN, NOON.plusSeconds(5))).as("3 s and a look").isFalse();
    Lease renewed = lease("p-root-0_1-2", 2);
    watch = LeaseWatch.next(watch, renewed, NOON.plusSeconds(6));
    assertThat(watch.isHeld(renewed, BETWEEN, NOON.plusSeconds(7))).isTrue();
    Lease given = lease("", 3);
    assertThat(LeaseWatch.next(watch, given, NOON).isHeld(given, BETWEEN, NOON)).isFalse();
    assertThat(LeaseWatch.next(watch, null, NOON).isHeld(null, BETWEEN, NOON)).isFalse();
    assertThat(LeaseWatch.holder(null)).isEmpty();
  }

  @Test
  void theTreesPageIsAddedUp() throws Exception {
    assertThat(
            PoolProbe.parse(
                """
                {"complete": true, "members": [{"kind": "relay", "nodes": 0},
                  {"kind": "shard", "nodes": 7}, {"kind": "shard", "nodes": 5}]}
                """))
        .isEqualTo(new Tree(1, 2, 12, 5, 7, true));
    assertThat(PoolProbe.parse("{\"complete\": false, \"members\": []}"))
        .isEqualTo(new Tree(0, 0, 0, 0, 0, false));
  }

  @Test
  void aProvidersVersionIsTheOneThatItIsOf() {
    assertThat(PoolProbe.version("v1.36.3")).isEqualTo("1.36.3");
    assertThat(PoolProbe.version("v1.35.1-gke.100")).isEqualTo("1.35.1");
    assertThat(PoolProbe.version("v1.34.0+k3s1")).isEqualTo("1.34.0");
  }

  @Test
  void onlyALeaseOfAnotherNameNeedsARole() {
    assertThat(PoolAccess.objects("kube-scheduler")).isEmpty();
    assertThat(PoolAccess.objects("exaplane-batch")).hasSize(2);
  }
}
