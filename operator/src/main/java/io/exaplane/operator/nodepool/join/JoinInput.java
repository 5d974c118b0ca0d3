// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Everything that a host must know before it joins a pool. Immutable.
 *
 * @param server the hosted API, as {@code https://[2001:db8::1]:6443}
 * @param caPem certificates of the CA that signs the API's certificate, in PEM
 * @param token a bootstrap token, as {@code abcdef.0123456789abcdef}
 * @param tokenExpires when the token ends
 * @param pool the NodePool's name
 * @param version of kubelet and kube-proxy, as {@code 1.37.2}
 * @param kubeletConfigJson fields of a KubeletConfiguration that the pool sets, as a JSON object;
 *     {@code {}} for none
 * @param labels of the Node, beside the pool's own
 * @param taints with which the Node registers
 * @param clusterDns the address that pods ask for names; its family is that of the node's address
 * @param clusterDomain the domain of Services, as {@code cluster.local}
 * @param podPrefixLength how long a node's prefix is; empty if kube-controller-manager chooses the
 *     addresses
 * @param prefixes the networks that the prefix must lie in; empty with the length
 * @param network of the hosts
 */
public record JoinInput(
    String server,
    String caPem,
    String token,
    Instant tokenExpires,
    String pool,
    String version,
    String kubeletConfigJson,
    Map<String, String> labels,
    List<Taint> taints,
    String clusterDns,
    String clusterDomain,
    OptionalInt podPrefixLength,
    List<String> prefixes,
    HostNetwork network) {

  /** Of hosts to which a prefix is routed, or that bring none. */
  public JoinInput(
      String server,
      String caPem,
      String token,
      Instant tokenExpires,
      String pool,
      String version,
      String kubeletConfigJson,
      Map<String, String> labels,
      List<Taint> taints,
      String clusterDns,
      String clusterDomain,
      OptionalInt podPrefixLength,
      List<String> prefixes) {
    this(
        server,
        caPem,
        token,
        tokenExpires,
        pool,
        version,
        kubeletConfigJson,
        labels,
        taints,
        clusterDns,
        clusterDomain,
        podPrefixLength,
        prefixes,
        HostNetwork.PLAIN);
  }

  /** The same for hosts of another network. */
  public JoinInput with(HostNetwork other) {
    return new JoinInput(
        server,
        caPem,
        token,
        tokenExpires,
        pool,
        version,
        kubeletConfigJson,
        labels,
        taints,
        clusterDns,
        clusterDomain,
        podPrefixLength,
        prefixes,
        other);
  }

  /** Copies what can be changed. */
  public JoinInput {
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
    prefixes = List.copyOf(prefixes);
    if (podPrefixLength.isPresent() == prefixes.isEmpty()) {
      throw new IllegalArgumentException(
          "podPrefixLength %s and prefixes %s must be given together, or both be empty; set both"
              .formatted(podPrefixLength, prefixes));
    }
  }

  /**
   * A taint.
   *
   * @param value "" for none
   * @param effect NoSchedule, PreferNoSchedule or NoExecute
   */
  public record Taint(String key, String value, String effect) {}

  /** Labels in the order of their keys, so that the same input gives the same script. */
  Map<String, String> sortedLabels() {
    return new TreeMap<>(labels);
  }

  /** Names the token by its public half only. */
  @Override
  public String toString() {
    return "JoinInput[pool=%s, server=%s, version=%s, token=%s.…]"
        .formatted(pool, server, version, token.split("\\.", 2)[0]);
  }
}
