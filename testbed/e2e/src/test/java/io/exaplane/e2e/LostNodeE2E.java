// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The node with everything that Exaplane runs goes without a word, its pods are deleted, and it
 * comes back: stores find their volumes, and a container on the hosted cluster's node runs on.
 */
@Order(39)
@Tag("alone")
class LostNodeE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static LastingContainer container;

  @BeforeAll
  static void aContainerRunsOnANode() {
    Demo.up();
    Demo.host();
    container = LastingContainer.start();
    Hosted.createConfigMap(Demo.NAME, Demo.NAMESPACE, "before-the-cut");
  }

  @AfterAll
  static void takeDown() {
    container.stop();
  }

  /** The pods are deleted at once, as by who knows that the machine is gone. */
  @Test
  void aLostNodeTakesNothingFromTheHostedCluster() {
    isLost(() -> Bed.kubectl("delete", "pods", "--all", "--all-namespaces", "--force"));
  }

  /** Kubernetes deletes the pods itself, after a minute. */
  @Test
  @Tag("long")
  void aNodeThatNobodyMissesTakesNothingEither() {
    isLost(() -> {});
  }

  private static void isLost(Runnable deletion) {
    List<String> before = podsOnANode();
    PowerCut.cut();
    deletion.run();
    Bed.await(
        "the pods of the node that is gone are deleted",
        PATIENCE,
        () -> podsOnANode().stream().noneMatch(before::contains));
    PowerCut.end();
    Bed.await(
        "what was acknowledged is there",
        PATIENCE,
        () -> Hosted.holds(() -> configMaps().contains("before-the-cut")),
        () -> Bed.describe(Demo.NAME, Demo.NAMESPACE));
    Demo.settled(PATIENCE);
    container.isUntouched();
    assertThat(Demo.get().getStatus().conditions())
        .as("no store lost data")
        .noneMatch(condition -> "StoreDataLost".equals(condition.reason()));
  }

  private static List<String> podsOnANode() {
    return Bed.CLIENT.pods().inNamespace(Demo.NAMESPACE).list().getItems().stream()
        .filter(pod -> pod.getSpec().getNodeName() != null)
        .map(pod -> pod.getMetadata().getUid())
        .toList();
  }

  private static List<String> configMaps() {
    return Demo.client().configMaps().inNamespace("default").list().getItems().stream()
        .map(configMap -> configMap.getMetadata().getName())
        .toList();
  }
}
