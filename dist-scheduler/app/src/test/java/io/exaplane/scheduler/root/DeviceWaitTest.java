// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.commit.ClaimPlan;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.DeviceId;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import io.exaplane.scheduler.engine.plugin.Grant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeviceWaitTest {
  private static final DeviceId DEVICE = new DeviceId("x.io", "pool", "d");
  private static final long STARTED_NS = TimeUnit.HOURS.toNanos(1);

  private final Cluster cluster = new Cluster(SelectorCompiler.NONE);

  @BeforeEach
  void aPod() {
    new ObjectReader(cluster, Version.newest())
        .read(
            Fields.of(
                Map.of(
                    "apiVersion",
                    "v1",
                    "kind",
                    "Pod",
                    "metadata",
                    Map.of("name", "p", "namespace", "ns", "uid", "pod-uid"),
                    "spec",
                    Map.of()),
                ""));
  }

  private static Allocation given(long sinceNs) {
    return new Allocation(
        List.of(
            new Allocation.Result(
                "r", DEVICE, false, false, Map.of(), List.of("ready"), List.of("broken"))),
        null,
        sinceNs);
  }

  private static ResourceClaim claim(Allocation allocation, String... conditions) {
    return new ResourceClaim(
        "ns",
        "c",
        "claim-uid",
        false,
        "",
        false,
        List.of(),
        List.of(),
        allocation,
        List.of(),
        Map.of(DEVICE, Set.of(conditions)));
  }

  private DeviceWait waitFor(Grant grant) {
    return waitFor(grant, null);
  }

  private DeviceWait waitFor(Grant grant, ResourceClaim made) {
    ClaimPlan plan = new ClaimPlan(List.of(grant), List.of(), List.of(), List.of());
    return new DeviceWait(cluster, plan, made, TimeUnit.SECONDS.toNanos(600));
  }

  private String outcome(DeviceWait wait, int secondsLater) {
    return wait.outcome(cluster.pod("ns/p"), STARTED_NS + TimeUnit.SECONDS.toNanos(secondsLater));
  }

  @Test
  void isOverWhenAllThatHasToBeTrueIs() {
    DeviceWait wait = waitFor(new Grant(claim(null), given(STARTED_NS)));
    cluster.devices().putClaim(claim(null));
    assertThat(outcome(wait, 0)).as("what was written is not told yet").isNull();
    cluster.devices().putClaim(claim(given(STARTED_NS), "other"));
    assertThat(outcome(wait, 1)).isNull();
    cluster.devices().putClaim(claim(given(STARTED_NS), "ready"));
    assertThat(outcome(wait, 2)).isEmpty();
  }

  @Test
  void isOverWhenADeviceFailsOrTheClaimGoes() {
    DeviceWait wait = waitFor(new Grant(claim(null), given(STARTED_NS)));
    cluster.devices().putClaim(claim(given(STARTED_NS), "ready", "broken"));
    assertThat(outcome(wait, 0)).isEqualTo("device binding failed: claim=c");
    cluster.devices().removeClaim("ns/c");
    assertThat(outcome(wait, 1)).isEqualTo("claim ns/c does not exist any more");
  }

  /** The claim of a pod that came later has waited before. */
  @Test
  void isOverWhenTheDevicesHadTheirTime() {
    ResourceClaim old = claim(given(STARTED_NS - TimeUnit.SECONDS.toNanos(590)));
    cluster.devices().putClaim(old);
    DeviceWait later =
        new DeviceWait(
            cluster,
            new ClaimPlan(List.of(), List.of(old), List.of(old), List.of()),
            null,
            TimeUnit.SECONDS.toNanos(600));
    assertThat(outcome(later, 9)).isNull();
    assertThat(outcome(later, 11)).isEqualTo("device binding timeout");
  }

  @Test
  void waitsForAClaimThatWasMadeJustNow() {
    ResourceClaim planned = ResourceClaim.forExtendedResources("ns", "pod-uid", List.of());
    ResourceClaim made = planned.named("made", "uid");
    DeviceWait wait = waitFor(new Grant(planned, given(STARTED_NS)), made);
    assertThat(outcome(wait, 0)).isNull();
    assertThat(outcome(wait, 601)).isEqualTo("device binding timeout");
    cluster.devices().putClaim(planned.named("made", "of an earlier attempt"));
    assertThat(outcome(wait, 1)).isNull();
    cluster.devices().putClaim(made.given(given(STARTED_NS), List.of()));
    assertThat(outcome(wait, 2)).isNull();
    cluster.devices().removeClaim("ns/made");
    assertThat(outcome(wait, 3)).isEqualTo("claim ns/made does not exist any more");
  }
}
