// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.names;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.NodePool;
import java.util.Map;
import java.util.TreeMap;

/** Names, labels and annotations of a pool of nodes, here and in the hosted cluster. Pure. */
public final class NodePoolNames {
  /** On each Node of a hosted cluster, by its kubelet: the NodePool's name. */
  public static final String NODE_LABEL = "exaplane.io/pool";

  /** On a Node, by its host: the prefix that its pods are to get addresses of, as a CIDR. */
  public static final String POD_PREFIX = "exaplane.io/pod-prefix";

  /** On a Node, by the operator: why that prefix is refused, in one sentence. */
  public static final String POD_PREFIX_REFUSED = "exaplane.io/pod-prefix-refused";

  /** On a Node, by its host: "yes" if the host joins again by itself once its Node is deleted. */
  public static final String READDRESSES = "exaplane.io/readdresses";

  /** On a Node, by its host: how packets for its prefix come there, Routed or OnLink. */
  public static final String DELIVERY = "exaplane.io/delivery";

  /** On a Node, by its host: the heartbeats that its kubelet has, as 40-10-300. */
  public static final String HEARTBEATS = "exaplane.io/heartbeats";

  /** On a Node, by its host: short name of the CAs that it trusts; its certificates are of them. */
  public static final String AUTHORITIES = "exaplane.io/authorities";

  /** On a Node, by its host: why it does not follow the CAs of the cluster. */
  public static final String AUTHORITIES_FAILED = "exaplane.io/authorities-failed";

  /**
   * On a Node, by the operator while the Node is being upgraded: version, phase, time, and whether
   * it is to take pods again, as {@code 1.37.2;Draining;2026-11-28T10:00:00Z;Uncordon}.
   */
  public static final String UPGRADE = "exaplane.io/upgrade";

  /** On a Node, by its host: why it did not bring the kubelet of the upgrade. */
  public static final String UPGRADE_FAILED = "exaplane.io/upgrade-failed";

  /** On the operator's objects of a pool, in both clusters: the NodePool's name. */
  public static final String POOL_LABEL = Names.NODE_POOL_LABEL;

  /** On bootstrap tokens in the hosted cluster: the UID of the NodePool. */
  public static final String POOL_UID = "exaplane.io/node-pool-uid";

  public static final String SELECTOR = Names.MANAGED_BY_SELECTOR + "," + POOL_LABEL;

  /** On the join Secret: the RFC 3339 time at which the bootstrap token in it ends. */
  public static final String EXPIRES = "exaplane.io/join-token-expires";

  /** On the join Secret: the public half of the bootstrap token in it. */
  public static final String TOKEN_ID = "exaplane.io/join-token-id";

  /** The group of everybody who joins with one of the operator's bootstrap tokens. */
  public static final String NODES_GROUP = "system:bootstrappers:exaplane:nodes";

  /** Lets kube-proxy run with the certificate of the node's kubelet. */
  public static final String PROXIER = "exaplane-node-proxier";

  /** On a NodePool, by a person: the incident after which the waves of agents continue. */
  public static final String RESUME_AGENTS = "exaplane.io/resume-agents";

  /** On a DaemonSet of a hosted cluster: that its pods restart in waves, in one sentence. */
  public static final String AGENT_WAVES = "exaplane.io/agent-waves";

  /** On a DaemonSet of a hosted cluster, by {@code exactl lists}: what its LISTs cost. */
  public static final String LISTS_FINDINGS = "exaplane.io/lists-findings";

  /** The policy about DaemonSets in a hosted cluster, and its binding. */
  public static final String AGENT_POLICY = "exaplane-agents";

  /** The form that needs no other program than a POSIX shell. */
  public static final String JOIN_SCRIPT = "join.sh";

  public static final String CLOUD_INIT = "cloud-init.yaml";
  public static final String IGNITION = "ignition.json";

  private final String name;

  public NodePoolNames(NodePool pool) {
    name = pool.getMetadata().getName();
  }

  /** The Secret with which hosts join. */
  public String joinSecret() {
    return name + "-node-join";
  }

  /**
   * The ConfigMap in kube-system of the hosted cluster that the pool's hosts read, and the Role and
   * RoleBinding that let them.
   */
  public String heartbeats() {
    return "exaplane-heartbeats-" + name;
  }

  /** The ConfigMap in kube-system of the hosted cluster with the waves of a pool's agents. */
  public String agentWaves() {
    return agentWaves(name);
  }

  /** The same of a pool that may be gone. */
  public static String agentWaves(String pool) {
    return "exaplane-agents-" + pool;
  }

  /** Labels of an object of the pool. */
  public Map<String, String> labels() {
    Map<String, String> labels = new TreeMap<>();
    labels.put(Names.MANAGED_BY_LABEL, Names.MANAGED_BY);
    labels.put(POOL_LABEL, name);
    return labels;
  }
}
