// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

/**
 * A number that a provider, or a machine of yours, does not exceed. Immutable.
 *
 * @param name in lower case with dashes, as people name it on the command line
 * @param value how many there are; null if nobody publishes the number
 * @param most up to how many the provider raises it on demand; null if unknown
 * @param used by others than the nodes of the plan
 * @param perNode how many a node uses; of a quota of subnets or blocks, how many each of these uses
 * @param perNodeRouted how many a node uses whose pods are in the cluster range; null if as many
 * @param applies to what it limits
 * @param next what to do if it is too small
 * @param source where the number is from
 * @param date of the source, or when somebody read it
 */
public record Quota(
    String name,
    Long value,
    Long most,
    long used,
    long perNode,
    Long perNodeRouted,
    Applies applies,
    String next,
    String source,
    String date) {
  /** What a quota limits. */
  public enum Applies {
    /** Nodes, each of which uses some. */
    NODES,
    /** Subnets. */
    SUBNETS,
    /** Blocks of addresses of the network. */
    NETWORKS,
    /** Nodes whose pods are in the cluster range, with a route each. */
    ROUTES
  }

  /** How much is left for the nodes of the plan. */
  long left() {
    return value == null ? Long.MAX_VALUE : Math.max(0, value - used);
  }

  long perNode(boolean routed) {
    return routed && perNodeRouted != null ? perNodeRouted : perNode;
  }

  /** With what somebody knows better. */
  Quota with(QuotaChange change) {
    boolean other = change.value() != null;
    return new Quota(
        name,
        other ? change.value() : value,
        other && most != null && change.value() >= most ? null : most,
        change.used() == null ? used : change.used(),
        change.perNode() == null ? perNode : change.perNode(),
        change.perNode() == null ? perNodeRouted : null,
        applies,
        next,
        other ? change.source() : source,
        other ? change.date() : date);
  }
}
