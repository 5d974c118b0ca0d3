// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.RotationSpec;
import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.api.v1alpha1.TaskComponent;
import io.exaplane.api.v1alpha1.TaskCredential;
import io.exaplane.operator.task.Tasks;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What tasks ask of their control plane: only while they run, and only of their own. */
class TaskOrdersTest {
  private final ControlPlane controlPlane = Tasks.controlPlane("{}");

  @ParameterizedTest
  @CsvSource({"Pending, false", "Running, true", "Succeeded, false", "Failed, false"})
  void onlyARunningTaskAsks(String state, boolean asks) {
    ControlPlaneTask task =
        Tasks.with(
            Tasks.task("t", 0, "restart: {component: Store, store: a}"),
            "{state: %s, startedAt: '2026-11-27T12:00:00Z'}".formatted(state));
    assertThat(TaskOrders.of(controlPlane, List.of(task)).restartOfStore("a").isPresent())
        .isEqualTo(asks);
    assertThat(TaskOrders.of(controlPlane, List.of(task)).restartOfStore("b")).isEmpty();
    controlPlane.getMetadata().setUid("another of this name");
    assertThat(TaskOrders.of(controlPlane, List.of(task))).isEqualTo(TaskOrders.NONE);
  }

  @ParameterizedTest
  @CsvSource({"-, Prepare", "Prepare, Prepare", "TrustBoth, Prepare", "Complete, Complete"})
  void aRotationAsksForWhatItsStepNeeds(String step, RotationWish wish) {
    ControlPlaneTask task =
        Tasks.running("rotate: {credential: ServiceAccountKey}", step.equals("-") ? null : step);
    TaskOrders orders = TaskOrders.of(controlPlane, List.of(task));
    assertThat(orders.rotation(new RotationSpec(null, null)))
        .isEqualTo(new RotationSpec(null, wish));
    assertThat(orders.rotation(new RotationSpec(RotationWish.Complete, RotationWish.Prepare)))
        .as("the spec comes first")
        .isEqualTo(new RotationSpec(RotationWish.Complete, RotationWish.Prepare));
    task.getMetadata().setDeletionTimestamp("2026-11-27T12:01:00Z");
    assertThat(TaskOrders.of(controlPlane, List.of(task)).rotation())
        .as("it stays where it is")
        .isEqualTo(new RotationSpec(null, null));
  }

  @Test
  void theKeyOfEncryptionIsAskedForByTasksToo() {
    ControlPlaneTask task = Tasks.running("rotate: {credential: EncryptionKey}", "Complete");
    TaskOrders orders = TaskOrders.of(controlPlane, List.of(task));
    RotationSpec none = new RotationSpec(null, null);
    assertThat(orders.rotation(none))
        .isEqualTo(new RotationSpec(null, null, RotationWish.Complete));
    assertThat(orders.leader(none, TaskCredential.EncryptionKey)).contains("t");
    RotationSpec asks = new RotationSpec(null, null, RotationWish.Prepare);
    assertThat(orders.rotation(asks)).as("the spec comes first").isEqualTo(asks);
    assertThat(orders.leader(asks, TaskCredential.EncryptionKey)).isEmpty();
  }

  @Test
  void aRestartThatIsDeletedIsCancelledAndLeavesAskForNothingMore() {
    ControlPlaneTask restart = Tasks.running("restart: {component: KubeAPIServer}", null);
    ControlPlaneTask leaves = Tasks.running("rotate: {credential: Leaves}", null);
    TaskOrders orders = TaskOrders.of(controlPlane, List.of(restart, leaves));
    assertThat(orders.restart(TaskComponent.KubeAPIServer).orElseThrow().cancelled()).isFalse();
    assertThat(orders.leavesSince()).contains(Instant.parse("2026-11-27T12:00:00.500Z"));
    restart.getMetadata().setDeletionTimestamp("2026-11-27T12:01:00Z");
    leaves.getMetadata().setDeletionTimestamp("2026-11-27T12:01:00Z");
    orders = TaskOrders.of(controlPlane, List.of(restart, leaves));
    assertThat(orders.restart(TaskComponent.KubeAPIServer).orElseThrow().cancelled()).isTrue();
    assertThat(orders.leavesSince()).isEmpty();
  }

  @Test
  void aRotationNamesTheTaskThatLeadsUnlessTheSpecDoes() {
    ControlPlaneTask task = Tasks.running("rotate: {credential: ServiceAccountKey}", "TrustBoth");
    TaskOrders orders = TaskOrders.of(controlPlane, List.of(task));
    RotationSpec none = new RotationSpec(null, null);
    assertThat(orders.leader(none, TaskCredential.ServiceAccountKey)).contains("t");
    assertThat(orders.leader(none, TaskCredential.CA)).isEmpty();
    assertThat(
            orders.leader(
                new RotationSpec(null, RotationWish.Prepare), TaskCredential.ServiceAccountKey))
        .isEmpty();
    task.getMetadata().setDeletionTimestamp("2026-11-27T12:01:00Z");
    assertThat(
            TaskOrders.of(controlPlane, List.of(task))
                .leader(none, TaskCredential.ServiceAccountKey))
        .isEmpty();
  }

  /** The Service leads where the step says: to the new store from the switch on. */
  @ParameterizedTest
  @CsvSource({
    "PrepareRoute, false, default, default",
    "ReplacePods, true, default, default",
    "CopyKeys, true, default, default",
    "SwitchRoute, true, leases, default",
  })
  void aMoveLeadsTheServiceByItsStep(String step, boolean routed, String first, String second) {
    ResourceRef leases = new ResourceRef("coordination.k8s.io", "leases");
    ResourceRef nodes = new ResourceRef("", "nodes");
    ControlPlaneTask task =
        Tasks.with(
            Tasks.task(
                "t",
                0,
                "reshard: {toStore: leases, resources: [{group: coordination.k8s.io, resource: leases}, {group: '', resource: nodes}]}"),
            """
            {state: Running, step: %s, startedAt: '2026-11-27T12:00:00Z',
             moves: [{resource: {group: coordination.k8s.io, resource: leases}, fromStore: default}, {resource: {group: '', resource: nodes}, fromStore: default}]}
            """
                .formatted(step));
    String stores = ", storage: {stores: [{name: default}, {name: leases}], routes: [%s]}";
    ControlPlane before = Tasks.controlPlane(stores.formatted(""), "{}");
    TaskOrders orders = TaskOrders.of(before, List.of(task));
    assertThat(orders.routed()).isEqualTo(routed ? List.of(leases, nodes) : List.of());
    assertThat(orders.selected(leases, before.getSpec().storage())).isEqualTo(first);
    assertThat(orders.selected(nodes, before.getSpec().storage())).isEqualTo(second);
    ControlPlane moved =
        Tasks.controlPlane(
            stores.formatted(
                "{store: leases, resources: [{group: coordination.k8s.io, resource: leases}]}"),
            "{}");
    TaskOrders next = TaskOrders.of(moved, List.of(task));
    assertThat(next.selected(leases, moved.getSpec().storage())).isEqualTo("leases");
    assertThat(next.selected(nodes, moved.getSpec().storage()))
        .as("the next one is switched in the same step")
        .isEqualTo(step.equals("SwitchRoute") ? "leases" : "default");
    assertThat(TaskOrders.NONE.selected(leases, moved.getSpec().storage())).isEqualTo("leases");
    task.getMetadata().setDeletionTimestamp("2026-11-27T12:01:00Z");
    assertThat(TaskOrders.of(before, List.of(task)).routed()).as("nothing begins").isEmpty();
  }
}
