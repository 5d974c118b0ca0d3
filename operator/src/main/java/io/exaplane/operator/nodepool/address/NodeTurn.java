// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.fabric8.kubernetes.api.model.Node;

/**
 * A Node as an upgrade sees it. Immutable.
 *
 * @param resourceVersion of which all of this was seen
 * @param zone its failure domain; "" without one
 * @param kubelet its version as 1.37.2; "" if nobody knows
 * @param cordoned whether the scheduler binds no pods to it
 * @param upgrade what the operator wrote about its upgrade; "" if there is nothing
 * @param failure why its host did not bring the kubelet; "" if the host says nothing
 * @param moves whether its host has another prefix, which another Node of this name would get
 */
public record NodeTurn(
    String name,
    String uid,
    String resourceVersion,
    String zone,
    boolean ready,
    String kubelet,
    boolean cordoned,
    String upgrade,
    String failure,
    boolean moves) {
  /** One whose host has the prefix of the Node. */
  public NodeTurn(
      String name,
      String uid,
      String resourceVersion,
      String zone,
      boolean ready,
      String kubelet,
      boolean cordoned,
      String upgrade,
      String failure) {
    this(name, uid, resourceVersion, zone, ready, kubelet, cordoned, upgrade, failure, false);
  }

  /** The same, of a host with another prefix. */
  public NodeTurn moving() {
    return new NodeTurn(
        name, uid, resourceVersion, zone, ready, kubelet, cordoned, upgrade, failure, true);
  }

  /** Of a Node as the API has it. */
  public static NodeTurn of(Node node) {
    return NodeFacts.of(node).turn();
  }
}
