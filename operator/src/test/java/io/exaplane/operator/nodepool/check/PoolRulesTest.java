// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.management.Taken;
import io.exaplane.operator.nodepool.NodePools;
import io.exaplane.operator.outcome.Problem;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each rule says field, value, rule and next action; and lets its neighbour through. */
class PoolRulesTest {
  private static final List<Taken> TAKEN =
      List.of(
          new Taken("Services", "fd00:10:96::/112"),
          new Taken("node w1", "192.0.2.11"),
          new Taken("pods on node w1", "2001:db8:f::/64"));

  private static Optional<Problem> broken(String controlPlane, String spec, NodePool... others) {
    return broken(controlPlane, NodePools.pool(spec), 110, OptionalLong.of(50), others);
  }

  private static Optional<Problem> broken(
      String controlPlane, NodePool pool, int maxPods, OptionalLong grace, NodePool... others) {
    return PoolRules.broken(
        new PoolContext(
            pool,
            NodePools.controlPlane(controlPlane),
            Stream.concat(Stream.of(pool), Stream.of(others)).toList(),
            TAKEN,
            maxPods,
            grace));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # spec of the pool                                          | reason      | said
          maxNodes: 1000                                              | ''          | ''
          maxNodes: 1001                                              | NodesExceeded | spec.maxNodes 1001: together with the older NodePools of ControlPlane demo this is 1001 nodes, but spec.maxNodes of the ControlPlane is 1000. Lower
          maxNodes: 1, version: 1.37.9                                | ''          | ''
          maxNodes: 1, version: 1.34.0                                | ''          | ''
          maxNodes: 1, version: 1.38.0                                | VersionSkew | spec.version 1.38.0: ControlPlane demo runs 1.37.2
          maxNodes: 1, version: 1.33.9                                | VersionSkew | Set a version from 1.34 to 1.37
          maxNodes: 1, labels: {example.com/rack: r1, plain: ''}      | ''          | ''
          maxNodes: 1, labels: {topology.kubernetes.io/zone: a}       | ''          | ''
          maxNodes: 1, labels: {node.kubernetes.io/instance-type: a}  | ''          | ''
          maxNodes: 1, labels: {kubelet.kubernetes.io/x: a}           | ''          | ''
          maxNodes: 1, labels: {kubernetes.io/hostname: a}            | InvalidLabels | spec.labels kubernetes.io/hostname: a kubelet may not set this label
          maxNodes: 1, labels: {node-restriction.kubernetes.io/x: a}  | InvalidLabels | Use a prefix of your own
          maxNodes: 1, labels: {x.k8s.io/y: a}                        | InvalidLabels | spec.labels x.k8s.io/y
          maxNodes: 1, labels: {exaplane.io/pool: other}              | InvalidLabels | the prefix exaplane.io is for labels that Exaplane sets
          maxNodes: 1, labels: {'a b': c}                             | InvalidLabels | spec.labels a b: the key
          maxNodes: 1, labels: {Example.com/x: c}                     | InvalidLabels | spec.labels Example.com/x: the key
          maxNodes: 1, labels: {a: 'b c'}                             | InvalidLabels | spec.labels a: the value 'b c'
          maxNodes: 1, kubelet: {leaseDurationSeconds: 40}            | ''          | ''
          maxNodes: 1, kubelet: {leaseDurationSeconds: 41}            | LeaseTooLong | spec.kubelet.leaseDurationSeconds 41: kube-controller-manager declares a node dead after 50 s, and this must be at least 1.25 times the duration. Set at most 40
          """)
  void withPodCidrsOfTheControlPlane(String spec, String reason, String said) {
    judge(broken("network: {podCIDRs: ['fd00:1::/48']}", spec), reason, said);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # networks                                  | length | nodes | pods | reason           | said
          2001:db8:1::/48                             | 112    | 1000  | 110  | ''               | ''
          2001:db8:1::/48                             | 120    | 1000  | 254  | ''               | ''
          2001:db8:1::/48                             | 120    | 1000  | 255  | PrefixTooSmall   | spec.addresses.podPrefixLength 120: a prefix of this length has 254 addresses for pods, but a node may have 255 pods. Set spec.kubelet.maxPods to at most 254
          2001:db8:1::/104                            | 112    | 256   | 110  | ''               | ''
          2001:db8:1::/104                            | 112    | 257   | 110  | PrefixTooSmall   | spec.addresses.prefixes 2001:db8:1::/104: have 256 prefixes of the length 112, but spec.maxNodes is 257
          2001:db8:1::/104, 2001:db8:2::/104          | 112    | 512   | 110  | ''               | ''
          2001:db8:1::/104, 2001:db8:2::/104          | 112    | 513   | 110  | PrefixTooSmall   | 2001:db8:1::/104, 2001:db8:2::/104: have 512
          ::/0                                        | 112    | 1000  | 110  | NetworkOverlap   | spec.addresses.prefixes ::/0: overlaps fd00:0:0:1226::/112, of Services.
          fe80:1::/48                                 | 112    | 1     | 110  | NetworkOverlap   | overlaps fe80::/10, of link-local addresses
          fe00::/7                                    | 112    | 1     | 110  | NetworkOverlap   | overlaps fe80::/10, of link-local addresses
          ff05::/48                                   | 112    | 1     | 110  | NetworkOverlap   | overlaps ff00::/8, of multicast addresses
          0:1::/48                                    | 112    | 1     | 110  | NetworkOverlap   | overlaps ::/8, of unspecified, loopback and mapped addresses
          fd00:10:96::/104                            | 112    | 1     | 110  | ''               | ''
          2001:db8:f::/80                             | 112    | 1     | 110  | ''               | ''
          """)
  void withPrefixesOfHosts(
      String networks, int length, int nodes, int pods, String reason, String said) {
    NodePool pool =
        NodePools.pool(
            "maxNodes: %d, addresses: {source: StaticPrefix, podPrefixLength: %d, prefixes: [%s]}"
                .formatted(nodes, length, "'" + networks.replace(", ", "', '") + "'"));
    judge(broken("", pool, pods, OptionalLong.empty()), reason, said);
  }

  /** A host has the whole of what it was delegated, also if its pods have a part. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          256 | ''                             | ''             | ''
          256 | ', requested: {length: 56}'    | ''             | ''
          257 | ', requested: {length: 56}'    | PrefixTooSmall | have 256 prefixes of the length 56, but spec.maxNodes is 257
          257 | ', requested: {}'              | ''             | ''
          257 | ', requested: {hostAddress: Own}' | ''          | ''
          """)
  void withPrefixesThatHostsRequest(int nodes, String requested, String reason, String said) {
    NodePool pool =
        NodePools.pool(
            "maxNodes: %d, addresses: {source: RequestedPrefix, podPrefixLength: 64, prefixes: ['2001:db8:1::/48', '2001:db8:2:8000::/60']%s}"
                .formatted(nodes, requested));
    judge(broken("", pool, 110, OptionalLong.empty()), reason, said);
  }

  @Test
  void addressesComeFromOneSide() {
    judge(
        broken("", "maxNodes: 1"),
        "PodCIDRsMissing",
        "ControlPlane demo has no spec.network.podCIDRs");
    judge(
        broken("network: {podCIDRs: ['fd00:1::/48']}", "maxNodes: 1, " + NodePools.ADDRESSES),
        "PodCIDRsSet",
        "has spec.network.podCIDRs fd00:1::/48");
  }

  /** Of two that exclude each other the younger is refused, whoever is looked at. */
  @Test
  void theYoungerOneIsRefused() {
    NodePool older =
        NodePools.pool("b", "2026-01-01T00:00:00Z", "maxNodes: 600, " + NodePools.ADDRESSES);
    NodePool younger =
        NodePools.pool("a", "2026-01-02T00:00:00Z", "maxNodes: 600, " + NodePools.ADDRESSES);
    judge(broken("", older, 110, OptionalLong.empty(), younger), "", "");
    judge(
        broken("", younger, 110, OptionalLong.empty(), older),
        "NodesExceeded",
        "spec.maxNodes 600: together with the older NodePools of ControlPlane demo this is 1200"
            + " nodes, but spec.maxNodes of the ControlPlane is 1000");
    NodePool small =
        NodePools.pool("a", "2026-01-01T00:00:01Z", "maxNodes: 1, " + NodePools.ADDRESSES);
    judge(broken("", small, 110, OptionalLong.empty(), older), "NetworkOverlap", "2001:db8:1::/48");
    NodePool sameAge =
        NodePools.pool("c", "2026-01-01T00:00:00Z", "maxNodes: 1, " + NodePools.ADDRESSES);
    judge(broken("", sameAge, 110, OptionalLong.empty(), older), "NetworkOverlap", "NodePool b");
    judge(broken("", older, 110, OptionalLong.empty(), sameAge), "", "");
  }

  @Test
  void beforeTheApiHasAVersionNothingIsWrongWithOne() {
    NodePool pool = NodePools.pool("maxNodes: 1, version: 1.38.0, " + NodePools.ADDRESSES);
    assertThat(
            PoolRules.broken(
                new PoolContext(
                    pool,
                    NodePools.controlPlane("", "{}"),
                    List.of(pool),
                    List.of(),
                    110,
                    OptionalLong.empty())))
        .isEmpty();
  }

  private static void judge(Optional<Problem> found, String reason, String said) {
    assertThat(found.map(Problem::reason).map(Reason::name).orElse("")).isEqualTo(reason);
    assertThat(found.map(Problem::message).orElse("")).contains(said);
  }
}
