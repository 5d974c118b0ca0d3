// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A plan as JSON and YAML have it. The names are fixed: scripts read them. */
public final class AddressDocument {
  private AddressDocument() {}

  /** The whole plan; docs/addresses.md describes the names. */
  public static Map<String, Object> of(AddressPlan plan) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("carries", plan.carries());
    document.put("wanted", plan.wanted().orElse(null));
    document.put("nodes", plan.nodes().orElse(null));
    document.put("pods", plan.pods().orElse(null));
    document.put("first", plan.first().map(Limit::name).orElse(null));
    document.put("kubernetes", kubernetes(plan.cluster()));
    document.put("limits", limits(plan.limits()));
    document.put("parts", plan.parts().stream().map(AddressDocument::part).toList());
    document.put("problems", plan.problems());
    return document;
  }

  private static Map<String, Object> kubernetes(ClusterNetwork cluster) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("version", cluster.version().toString());
    document.put("maxPods", cluster.maxPods());
    document.put("serviceCidr", cluster.services().toString());
    document.put("serviceAddresses", cluster.services().addresses());
    document.put("clusterCidr", cluster.pods().map(Ipv6Prefix::toString).orElse(null));
    return document;
  }

  private static Map<String, Object> part(PartPlan part) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("provider", part.provider().name());
    document.put("title", part.provider().title());
    document.put("gives", part.provider().gives());
    document.put("wanted", part.wanted().orElse(null));
    document.put("nodes", part.nodes().orElse(null));
    document.put("pods", part.pods().orElse(null));
    document.put("podsPerNode", part.podsPerNode());
    document.put("first", part.first().map(Limit::name).orElse(null));
    document.put("prefixes", part.prefixes());
    document.put("subnetLength", part.subnetLength().orElse(null));
    document.put("nodePrefixLength", part.nodeLength());
    document.put("podPrefixLength", part.podLength());
    document.put("podAddresses", part.podAddresses());
    document.put("firstNodePrefix", part.firstNode().orElse(null));
    document.put("lastNodePrefix", part.lastNode().orElse(null));
    document.put("delivery", part.delivery());
    document.put("limits", limits(part.limits()));
    document.put("notes", part.provider().notes());
    return document;
  }

  private static List<Map<String, Object>> limits(List<Limit> limits) {
    return limits.stream().map(AddressDocument::limit).toList();
  }

  private static Map<String, Object> limit(Limit limit) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", limit.name());
    document.put("kind", limit.kind().name().toLowerCase(Locale.ROOT));
    document.put("nodes", limit.nodes().orElse(null));
    document.put("quota", limit.quota().map(AddressDocument::quota).orElse(null));
    document.put("how", limit.how());
    document.put("next", limit.next());
    document.put("source", limit.source());
    document.put("date", limit.date());
    return document;
  }

  private static Map<String, Object> quota(Quota quota) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("value", quota.value());
    document.put("most", quota.most());
    document.put("used", quota.used());
    document.put("applies", quota.applies().name().toLowerCase(Locale.ROOT));
    document.put("perNode", quota.perNode());
    return document;
  }
}
