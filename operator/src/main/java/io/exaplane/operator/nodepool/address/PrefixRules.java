// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.names.NodePoolNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a plan asks of each prefix by itself, whoever has others. Immutable once it is made.
 *
 * <p>Every text of this class ends in the Node's annotation, and in the status of its pool.
 */
final class PrefixRules {
  /** Where a prefix stands, and what to do if it is refused. */
  enum Field {
    /** What the host wrote: nothing happened yet. */
    REQUEST(
        NodePoolNames.POD_PREFIX,
        "join the host again with a prefix that the NodePool allows ('join.sh --prefix')"),
    /** What can't be changed any more. */
    WRITTEN(
        "spec.podCIDRs",
        "delete the Node, and join the host again with a prefix that the NodePool allows");

    private final String text;
    private final String action;

    Field(String text, String action) {
      this.text = text;
      this.action = action;
    }
  }

  private final Map<String, PoolPlan> pools = new HashMap<>();
  private final Map<String, List<Prefix>> networks = new HashMap<>();
  private final PrefixIndex reserved = new PrefixIndex();

  PrefixRules(ClusterPlan plan) {
    for (PoolPlan pool : plan.pools()) {
      pools.put(pool.pool(), pool);
      networks.put(
          pool.pool(),
          pool.prefixes().stream().flatMap(range -> Prefix.of(range).stream()).toList());
    }
    for (ClusterPlan.Reserved each : plan.reserved()) {
      Prefix.of(each.range())
          .ifPresent(
              prefix ->
                  reserved.add(prefix, "%s of %s".formatted(each.range().text(), each.what())));
    }
  }

  /** Whether hosts of that pool bring prefixes. */
  boolean bringsPrefixes(String pool) {
    return pools.containsKey(pool) && pools.get(pool).podPrefixLength().isPresent();
  }

  /** Why a Node of the pool must not have the prefix. */
  Optional<Decision> objection(String pool, Field field, Prefix prefix) {
    PoolPlan plan = pools.get(pool);
    if (networks.get(pool).stream().noneMatch(network -> network.contains(prefix))) {
      return Optional.of(
          Decision.refused(
              Reason.PrefixOutsidePool,
              "%s '%s' must lie in spec.addresses.prefixes of NodePool %s (%s); %s."
                  .formatted(field.text, prefix, pool, texts(networks.get(pool)), field.action)));
    }
    int length = plan.podPrefixLength().getAsInt();
    if (prefix.bits() != length) {
      return Optional.of(
          Decision.refused(
              Reason.PrefixInvalid,
              "%s '%s' must have the length /%d, which is spec.addresses.podPrefixLength of NodePool %s; %s."
                  .formatted(field.text, prefix, length, pool, field.action)));
    }
    return reserved
        .first(prefix, _ -> true)
        .map(
            held ->
                Decision.refused(
                    Reason.PrefixReserved,
                    "%s '%s' overlaps %s; %s."
                        .formatted(field.text, prefix, held.owner(), field.action)));
  }

  private static String texts(List<Prefix> networks) {
    return networks.stream().map(Prefix::toString).collect(Collectors.joining(", "));
  }

  /** Of a host whose pool has no prefixes for it. */
  static Decision noPool(String pool) {
    return Decision.refused(
        Reason.PrefixOutsidePool,
        "label %s '%s' names no NodePool that has spec.addresses and a valid spec; check 'kubectl get nodepools' in the management cluster."
            .formatted(NodePoolNames.NODE_LABEL, PrefixRequest.shown(pool)));
  }

  /** Of a text that is no prefix. */
  static Decision invalid(String problem) {
    return Decision.refused(Reason.PrefixInvalid, problem + "; " + Field.REQUEST.action + ".");
  }

  /** Of a prefix that another Node has. */
  static Decision taken(Field field, Prefix prefix, PrefixIndex.Held other) {
    return Decision.refused(
        Reason.PrefixTaken,
        "%s '%s' overlaps %s of Node %s; if the host of that Node is gone, delete that Node, else %s."
            .formatted(field.text, prefix, other.prefix(), other.owner(), field.action));
  }

  /** Of a host whose prefix is another one than when it joined. */
  static Decision moved(String wanted, List<Prefix> fixed) {
    return Decision.refused(
        Reason.PrefixMoved,
        "%s '%s' must be %s, as spec.podCIDRs says, which can't be changed; drain the Node, and delete it, or set spec.upgrade of the NodePool: its host then joins again with the prefix."
            .formatted(NodePoolNames.POD_PREFIX, PrefixRequest.shown(wanted), texts(fixed)));
  }
}
