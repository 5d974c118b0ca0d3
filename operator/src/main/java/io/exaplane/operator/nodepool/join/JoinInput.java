// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that a host must know to join a pool. Immutable.
 *
 * @param server URL of the API, as {@code https://[2001:db8::1]:6443}
 * @param caPem certificates of the CAs of the API and of its clients, in PEM
 * @param token bootstrap token, as {@code id.secret}; never to be shown
 * @param tokenExpires RFC 3339 time at which the token ends
 * @param pool name of the NodePool, the value of the label {@link
 *     io.exaplane.operator.names.NodePoolNames#NODE_LABEL}
 * @param version of the kubelet, as 1.37.2
 * @param kubeletConfigJson a KubeletConfiguration of the kubelet, without what only the host knows:
 *     paths, cgroup driver, address, resolv.conf
 * @param labels that the node registers with, that of the pool among them
 * @param taints that the node registers with, each as {@code key=value:Effect}
 * @param clusterDns addresses of the cluster's DNS
 * @param clusterDomain DNS domain of Services, as cluster.local
 * @param podPrefixLength of the prefix that the host brings, bits; empty if
 *     kube-controller-manager gives pods their addresses
 * @param prefixes networks that the prefix lies in, as CIDRs; none without a length
 * @param leaseDurationSeconds of the node's Lease
 */
public record JoinInput(
    String server,
    String caPem,
    String token,
    String tokenExpires,
    String pool,
    String version,
    String kubeletConfigJson,
    SortedMap<String, String> labels,
    List<String> taints,
    List<String> clusterDns,
    String clusterDomain,
    OptionalInt podPrefixLength,
    List<String> prefixes,
    int leaseDurationSeconds) {
  public JoinInput {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    taints = List.copyOf(taints);
    clusterDns = List.copyOf(clusterDns);
    prefixes = List.copyOf(prefixes);
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "JoinInput[pool=%s, server=%s]".formatted(pool, server);
  }
}
