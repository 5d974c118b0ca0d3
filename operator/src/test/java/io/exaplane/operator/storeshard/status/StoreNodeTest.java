// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a store whose node is in trouble, for each kind of volume. */
class StoreNodeTest {
  private static final String SINCE = "2026-01-01T00:00:00Z";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // the store | its pod's node | Ready of the node | taints | what is said
        "Critical PersistentVolume   | n1 | Unknown | -              | has not answered since 2026;one node only;'kubectl taint nodes n1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute'",
        "Critical PersistentVolume   | n1 | False   | -              | is not ready since 2026;one node only;kubectl taint nodes n1",
        "BestEffort PersistentVolume | n1 | Unknown | -              | one node only;kubectl taint nodes n1",
        "Critical PersistentVolume   | n1 | Unknown | out-of-service | marked as out of "
            + "service;remove the taint",
        "Critical EmptyDir           | n1 | Unknown | -              | in an EmptyDir on that "
            + "node;the data is lost, too;'kubectl -n ns delete pod s-0 --force'",
        "Critical EmptyDir           | n1 | False   | unreachable    | in an EmptyDir on that "
            + "node",
        "BestEffort EmptyDir         | n1 | Unknown | -              | start empty elsewhere: 'kubectl -n ns delete pod s-0 --force'",
        "Critical PersistentVolume   | n1 | gone    | -              | node n1, which no "
            + "longer exists",
        "Critical EmptyDir           | n1 | gone    | -              | node n1, which no "
            + "longer exists",
        "Critical PersistentVolume   | n1 | True    | -              | -",
        "Critical PersistentVolume   | n1 | none    | -              | -",
        "Critical PersistentVolume   | -  | gone    | -              | -",
      })
  void theNodeAndTheNextActionAreNamed(
      String store, String nodeName, String ready, String taint, String words) {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: s, namespace: ns}
            spec: {criticality: %s, storage: {type: %s}}
            """
                .formatted((Object[]) store.split(" +")),
            StoreShard.class);
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("s-0")
            .endMetadata()
            .withNewSpec()
            .withNodeName(nodeName)
            .endSpec()
            .build();
    Optional<Node> node = ready.equals("gone") ? Optional.empty() : Optional.of(node(ready, taint));
    Optional<String> said = StoreNode.words(shard, pod, node);
    if (words == null) {
      assertThat(said).isEmpty();
    } else {
      assertThat(said.orElseThrow())
          .startsWith("Pod s-0 is on node n1, ")
          .contains(words.split(";"));
    }
  }

  private static Node node(String ready, String taint) {
    NodeBuilder node =
        new NodeBuilder().withNewMetadata().withName("n1").endMetadata().withNewSpec().endSpec();
    if (taint != null) {
      node.editSpec()
          .addNewTaint()
          .withKey("node.kubernetes.io/" + taint)
          .withEffect("NoExecute")
          .endTaint()
          .endSpec();
    }
    if (!ready.equals("none")) {
      node.withNewStatus()
          .addNewCondition()
          .withType("MemoryPressure")
          .withStatus("Unknown")
          .endCondition()
          .addNewCondition()
          .withType("Ready")
          .withStatus(ready)
          .withLastTransitionTime(SINCE)
          .endCondition()
          .endStatus();
    }
    return node.build();
  }
}
