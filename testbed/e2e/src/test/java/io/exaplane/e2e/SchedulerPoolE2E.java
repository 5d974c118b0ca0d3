// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus.Tree;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A SchedulerPool takes kube-scheduler's place in the demo's control plane, as one process and as a
 * tree. It stays there for the tests that come next.
 */
@Order(35)
@Tag("pool")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SchedulerPoolE2E {
  @BeforeAll
  static void up() {
    Demo.up();
    Demo.host();
    Demo.patch("{\"spec\":{\"scheduling\":null}}");
    Bed.kubectl("delete", "spool", DemoPool.NAME, "--ignore-not-found", "--timeout=300s");
    Demo.settled(DemoPool.PATIENCE);
  }

  @Test
  @Order(1)
  void itWaitsAsLongAsKubeSchedulerIsWanted() throws Exception {
    DemoPool.make(DemoPool.NAME, "controlPlaneRef: {name: demo}");
    Condition waits = DemoPool.awaitReason(DemoPool.NAME, "Available", "AnotherInCharge");
    assertThat(waits.message()).contains("{mode: Pool, poolRef: {name: demo}}");
    Bed.await(
        "both roots stand by",
        DemoPool.PATIENCE,
        () -> "2/2".equals(DemoPool.get(DemoPool.NAME).getStatus().roots().summary()),
        () -> DemoPool.describe(DemoPool.NAME));
    Bed.awaitHolds(
        DemoPool.PATIENCE,
        () -> assertThat(Bed.pods(Demo.NAME, Demo.NAMESPACE, "scheduler")).hasSize(2));
  }

  @Test
  @Order(2)
  void itTakesOverAndPlacesPods() {
    DemoPool.inCharge();
    Bed.awaitHolds(
        DemoPool.PATIENCE,
        () -> assertThat(Demo.get().getStatus().scheduler().summary()).isEqualTo("2/2"));
    Bed.await(
        "kube-scheduler is gone",
        DemoPool.PATIENCE,
        () -> Bed.pods(Demo.NAME, Demo.NAMESPACE, "scheduler").isEmpty());
    Bed.awaitHolds(
        DemoPool.PATIENCE,
        () ->
            assertThat(Bed.kubectl("get", "pdb", "--output=name"))
                .contains("/demo-root")
                .doesNotContain("/demo-scheduler"));
    DemoPool.deploy("placed");
    DemoPool.podsRun("placed", 3);
    KubernetesClient hosted = Demo.client();
    List<Pod> pods =
        hosted.pods().inNamespace("default").withLabel("app", "placed").list().getItems();
    assertThat(pods).allSatisfy(pod -> assertThat(pod.getSpec().getNodeName()).isEqualTo("w1"));
    Bed.await(
        "the root says that it placed them",
        DemoPool.PATIENCE,
        () ->
            hosted.v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> "Scheduled".equals(event.getReason()))
                .filter(event -> event.getInvolvedObject().getName().startsWith("placed-"))
                .anyMatch(
                    event ->
                        event
                            .getReportingInstance()
                            .equals(
                                "default-scheduler-"
                                    + DemoPool.get(DemoPool.NAME).getStatus().leader())));
  }

  @Test
  @Order(3)
  void itGrowsIntoATreeAndPodsArePlacedByIt() {
    // The node has other control planes' pods beside these.
    DemoPool.patch(
        "{\"spec\":{\"relays\":{\"fanOut\":2,\"resources\":%1$s},\"shards\":{\"resources\":%1$s}}}"
            .formatted("{\"requests\":{\"cpu\":\"25m\"}}"));
    Bed.kubectl("scale", "spool", DemoPool.NAME, "--replicas=3");
    System.out.printf("a tree after %d s%n", DemoPool.awaitSettled());
    Bed.awaitHolds(DemoPool.PATIENCE, SchedulerPoolE2E::isATree);
    DemoPool.podsRun("placed", 5);
    Demo.settled(DemoPool.PATIENCE);
  }

  private static void isATree() {
    SchedulerPool pool = DemoPool.get(DemoPool.NAME);
    assertThat(pool.getStatus().relays().summary()).isEqualTo("2/2");
    assertThat(pool.getStatus().shards().summary()).isEqualTo("3/3");
    Tree tree = pool.getStatus().tree();
    assertThat(tree.shards()).isEqualTo(3);
    assertThat(tree.relays()).isEqualTo(2);
    assertThat(tree.complete()).isTrue();
    assertThat(tree.nodes()).isEqualTo(1);
  }
}
