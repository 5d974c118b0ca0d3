// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.net.AddressRange;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Nodes and plans for tests. */
final class Nodes {
  static final Instant START = Instant.parse("2026-11-28T00:00:00Z");

  private Nodes() {}

  /** A Node of the pool "p" that asks for a prefix. */
  static NodeFacts asking(String name, int second, String wanted) {
    return facts(name, second, "p", wanted, List.of());
  }

  /** A Node of the pool "p" whose spec has a prefix. */
  static NodeFacts having(String name, int second, String wanted, String... podCidrs) {
    return facts(name, second, "p", wanted, List.of(podCidrs));
  }

  static NodeFacts facts(
      String name, int second, String pool, String wanted, List<String> podCidrs) {
    return new NodeFacts(
        name,
        "uid-" + name,
        "1",
        START.plusSeconds(second),
        pool,
        wanted,
        "",
        podCidrs,
        false,
        "",
        "1.37.2");
  }

  /** A pool whose hosts bring prefixes. */
  static PoolPlan pool(String name, int length, String... prefixes) {
    return new PoolPlan(
        name, OptionalInt.of(length), Arrays.stream(prefixes).map(AddressRange::of).toList(), 100);
  }

  static ClusterPlan plan(PoolPlan... pools) {
    return new ClusterPlan(List.of(pools), List.of());
  }

  static ClusterPlan.Reserved reserved(String what, String range) {
    return new ClusterPlan.Reserved(what, AddressRange.of(range));
  }

  /** As the API has it. */
  static Node node(NodeFacts facts) {
    NodeBuilder node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(facts.name())
            .withUid(facts.uid())
            .withResourceVersion(facts.resourceVersion())
            .withCreationTimestamp(facts.created().toString())
            .endMetadata()
            .withNewSpec()
            .withPodCIDRs(facts.podCidrs())
            .endSpec()
            .withNewStatus()
            .addNewCondition()
            .withType("Ready")
            .withStatus(facts.ready() ? "True" : "False")
            .withMessage(facts.notReady())
            .endCondition()
            .withNewNodeInfo()
            .withKubeletVersion("v" + facts.kubelet())
            .endNodeInfo()
            .endStatus();
    Stream.of(facts.pool())
        .filter(pool -> !pool.isEmpty())
        .forEach(
            pool -> node.editMetadata().addToLabels(NodePoolNames.NODE_LABEL, pool).endMetadata());
    annotate(node, NodePoolNames.POD_PREFIX, facts.wanted());
    annotate(node, NodePoolNames.POD_PREFIX_REFUSED, facts.refused());
    return node.build();
  }

  private static void annotate(NodeBuilder node, String key, String value) {
    if (!value.isEmpty()) {
      node.editMetadata().addToAnnotations(key, value).endMetadata();
    }
  }
}
