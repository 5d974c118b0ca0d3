// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.operator.names.NodePoolNames;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The little of a Node that the operator keeps: a hundred thousand whole ones would be a gigabyte.
 * Immutable.
 *
 * @param created {@link Instant#MAX} if nobody knows
 * @param pool the NodePool's name, as the kubelet wrote; "" without one
 * @param wanted the prefix that the host wrote, cut where no prefix is as long; "" if there is none
 * @param refused what the operator wrote last; "" if there is nothing
 * @param podCidrs of the spec
 * @param ready whether the Node is Ready
 * @param notReady the kubelet's or the node controller's words, if it is not Ready
 * @param kubelet its version; "" if it is none
 * @param heartbeats what the host wrote that its kubelet has; "" if there is nothing
 * @param silentSince since when the node controller has known nothing of it; {@link Instant#MAX} if
 *     it knows
 * @param zone the label topology.kubernetes.io/zone; "" without one
 * @param since when its readiness changed last; {@link Instant#EPOCH} if nobody knows
 * @param cordoned whether the scheduler binds no pods to it
 * @param upgrade what the operator wrote about its upgrade; "" if there is nothing
 * @param upgradeFailure what the host wrote about that; "" if there is nothing
 * @param readdresses whether the host joins again by itself, with the prefix that it wants, once
 *     its Node is deleted
 * @param authorities short name of the CAs that the host follows, as it wrote; "" if there is none
 * @param authoritiesFailure what the host wrote about why it does not; "" if there is nothing
 * @param delivery how packets for the prefix come to the host, as it wrote: Routed or OnLink; "" if
 *     there is nothing
 */
record NodeFacts(
    String name,
    String uid,
    String resourceVersion,
    Instant created,
    String pool,
    String wanted,
    String refused,
    List<String> podCidrs,
    boolean ready,
    String notReady,
    String kubelet,
    String heartbeats,
    Instant silentSince,
    String zone,
    Instant since,
    boolean cordoned,
    String upgrade,
    String upgradeFailure,
    boolean readdresses,
    String authorities,
    String authoritiesFailure,
    String delivery) {
  private static final int MOST_WORDS = 200;
  private static final String ZONE = "topology.kubernetes.io/zone";

  /** The longest that the host's program writes. */
  private static final int MOST_HEARTBEATS = 20;

  /** One character more than a short name of CAs has. */
  private static final int MOST_AUTHORITIES = 17;

  /** One character more than a prefix may have, so that a longer one is seen to be too long. */
  private static final int MOST_WANTED = PrefixRequest.MOST_CHARACTERS + 1;

  /** More than any sentence of the operator's. */
  private static final int MOST_REFUSED = 1_000;

  private static final Pattern VERSION =
      Pattern.compile("v?([0-9]{1,4}\\.[0-9]{1,4}\\.[0-9]{1,4})(?:[-+].*)?");

  NodeFacts {
    podCidrs = List.copyOf(podCidrs);
  }

  /** One without a zone that is not silent, not cordoned, and said nothing of its kubelet. */
  NodeFacts(
      String name,
      String uid,
      String resourceVersion,
      Instant created,
      String pool,
      String wanted,
      String refused,
      List<String> podCidrs,
      boolean ready,
      String notReady,
      String kubelet) {
    this(
        name,
        uid,
        resourceVersion,
        created,
        pool,
        wanted,
        refused,
        podCidrs,
        ready,
        notReady,
        kubelet,
        "",
        Instant.MAX,
        "",
        Instant.EPOCH,
        false,
        "",
        "",
        false,
        "",
        "",
        "");
  }

  static NodeFacts of(Node node) {
    ObjectMeta metadata = node.getMetadata();
    Optional<NodeCondition> condition = readiness(node);
    return new NodeFacts(
        metadata.getName(),
        String.valueOf(metadata.getUid()),
        String.valueOf(metadata.getResourceVersion()),
        created(metadata),
        value(metadata.getLabels(), NodePoolNames.NODE_LABEL, MOST_WORDS),
        value(metadata.getAnnotations(), NodePoolNames.POD_PREFIX, MOST_WANTED),
        value(metadata.getAnnotations(), NodePoolNames.POD_PREFIX_REFUSED, MOST_REFUSED),
        podCidrs(node),
        condition.filter(ready -> "True".equals(ready.getStatus())).isPresent(),
        condition
            .filter(ready -> !"True".equals(ready.getStatus()))
            .map(ready -> cut(String.valueOf(ready.getMessage()), MOST_WORDS))
            .orElse(""),
        kubelet(node),
        value(metadata.getAnnotations(), NodePoolNames.HEARTBEATS, MOST_HEARTBEATS),
        condition
            .filter(ready -> "Unknown".equals(ready.getStatus()))
            .map(ready -> time(ready.getLastTransitionTime()))
            .orElse(Instant.MAX),
        value(metadata.getLabels(), ZONE, MOST_WORDS),
        condition.map(NodeFacts::since).orElse(Instant.EPOCH),
        node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable()),
        value(metadata.getAnnotations(), NodePoolNames.UPGRADE, MOST_WORDS),
        value(metadata.getAnnotations(), NodePoolNames.UPGRADE_FAILED, MOST_WORDS),
        value(metadata.getAnnotations(), NodePoolNames.READDRESSES, MOST_WORDS).equals("yes"),
        value(metadata.getAnnotations(), NodePoolNames.AUTHORITIES, MOST_AUTHORITIES),
        value(metadata.getAnnotations(), NodePoolNames.AUTHORITIES_FAILED, MOST_WORDS),
        delivery(metadata.getAnnotations()));
  }

  /** Words that all Nodes share; "" for what is none of them. */
  private static String delivery(Map<String, String> annotations) {
    return switch (value(annotations, NodePoolNames.DELIVERY, MOST_WORDS)) {
      case "Routed" -> "Routed";
      case "OnLink" -> "OnLink";
      default -> "";
    };
  }

  private static Instant since(NodeCondition ready) {
    try {
      return ready.getLastTransitionTime() == null
          ? Instant.EPOCH
          : Instant.parse(ready.getLastTransitionTime());
    } catch (DateTimeException e) {
      return Instant.EPOCH;
    }
  }

  /** What waves of agents go by. */
  NodeSight sight() {
    return new NodeSight(name, pool, zone, ready, since);
  }

  /** What upgrades go by. */
  NodeTurn turn() {
    return new NodeTurn(
        name, uid, resourceVersion, zone, ready, kubelet, cordoned, upgrade, upgradeFailure);
  }

  /** Whether the same is asked of the book. */
  boolean asksAs(NodeFacts other) {
    return uid.equals(other.uid)
        && created.equals(other.created)
        && pool.equals(other.pool)
        && wanted.equals(other.wanted)
        && podCidrs.equals(other.podCidrs);
  }

  /** Whether the same is counted. */
  boolean looksAs(NodeFacts other) {
    return asksAs(other)
        && ready == other.ready
        && notReady.equals(other.notReady)
        && kubelet.equals(other.kubelet)
        && heartbeats.equals(other.heartbeats)
        && readdresses == other.readdresses
        && authorities.equals(other.authorities)
        && authoritiesFailure.equals(other.authoritiesFailure)
        && delivery.equals(other.delivery)
        && silentSince.equals(other.silentSince)
        && (!isSilent() || resourceVersion.equals(other.resourceVersion));
  }

  /** Whether the node controller knows nothing of it. */
  boolean isSilent() {
    return !silentSince.equals(Instant.MAX);
  }

  private static String value(Map<String, String> all, String key, int most) {
    String found = all == null ? null : all.get(key);
    return found == null ? "" : cut(found, most);
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most);
  }

  private static Instant created(ObjectMeta metadata) {
    return time(metadata.getCreationTimestamp());
  }

  /** {@link Instant#MAX} if it is none. */
  private static Instant time(String text) {
    try {
      return text == null ? Instant.MAX : Instant.parse(text);
    } catch (DateTimeException e) {
      return Instant.MAX;
    }
  }

  private static List<String> podCidrs(Node node) {
    if (node.getSpec() == null) {
      return List.of();
    }
    List<String> all = node.getSpec().getPodCIDRs();
    return all == null || all.isEmpty()
        ? Stream.ofNullable(node.getSpec().getPodCIDR()).toList()
        : all;
  }

  private static Optional<NodeCondition> readiness(Node node) {
    return node.getStatus() == null || node.getStatus().getConditions() == null
        ? Optional.empty()
        : node.getStatus().getConditions().stream()
            .filter(condition -> "Ready".equals(condition.getType()))
            .findFirst();
  }

  private static String kubelet(Node node) {
    if (node.getStatus() == null
        || node.getStatus().getNodeInfo() == null
        || node.getStatus().getNodeInfo().getKubeletVersion() == null) {
      return "";
    }
    var version = VERSION.matcher(node.getStatus().getNodeInfo().getKubeletVersion());
    return version.matches() ? version.group(1) : "";
  }
}
