// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import static io.exaplane.scheduler.engine.scenario.Dice.map;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes up claims of devices in every state, and what pods say of them. */
final class ClaimMaker {
  private static final int CLAIMS = 5;
  private static final String EXTENDED = "resource.kubernetes.io/extended-resource-claim";

  private final Dice dice;
  private final boolean modern;

  /** Devices that nobody has: kube-scheduler does not count how often one was given. */
  private final List<List<String>> free;

  private final List<Map<String, Object>> claims = new ArrayList<>();

  /**
   * Of these devices.
   *
   * @param modern whether there may be what 1.36 knows alone
   */
  ClaimMaker(Dice dice, boolean modern, List<List<String>> devices) {
    this.dice = dice;
    this.modern = modern;
    free = new ArrayList<>(devices);
    for (String namespace : PodMaker.NAMESPACES) {
      for (int i = 0; i < CLAIMS; i++) {
        if (!dice.chance(0.05)) {
          claim(namespace, "r" + i, null);
        }
      }
    }
  }

  /** All claims, those of pods that were made included. */
  List<Map<String, Object>> objects() {
    return claims;
  }

  /**
   * What a pod says of its claims, in its spec and in its status. It names none twice: what
   * kube-scheduler finds for such a pod, it cannot write down.
   */
  void ofPod(String namespace, String name, Map<String, Object> spec, Map<String, Object> status) {
    List<Map<String, Object>> references = new ArrayList<>();
    List<Map<String, Object>> statuses = new ArrayList<>();
    int first = dice.below(CLAIMS);
    for (int i = 0, n = dice.one(1, 1, 2, 3); i < n; i++) {
      String as = "claim" + i;
      if (dice.chance(0.6)) {
        references.add(map("name", as, "resourceClaimName", "r" + (first + i) % CLAIMS));
        continue;
      }
      references.add(map("name", as, "resourceClaimTemplateName", "template"));
      String made = name + "-" + as;
      if (dice.chance(0.9)) {
        statuses.add(map("name", as, "resourceClaimName", dice.chance(0.05) ? null : made));
      }
      if (!dice.chance(0.05)) {
        claim(namespace, made, "uid-" + (dice.chance(0.05) ? "other" : name));
      }
    }
    spec.put("resourceClaims", references);
    if (!statuses.isEmpty()) {
      status.put("resourceClaimStatuses", statuses);
    }
  }

  /** A claim that an attempt before left behind. */
  void leftBehind(String namespace, String name) {
    claim(namespace, name + "-extended-resources-x", "uid-" + name);
    claims.getLast().put("metadata", extended(claims.getLast(), name));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> extended(Map<String, Object> claim, String pod) {
    Map<String, Object> meta = (Map<String, Object>) claim.get("metadata");
    meta.put("annotations", map(EXTENDED, "true"));
    meta.put("ownerReferences", owner(pod, "uid-" + pod));
    return meta;
  }

  private static List<Map<String, Object>> owner(String pod, String uid) {
    return List.of(
        map("apiVersion", "v1", "kind", "Pod", "name", pod, "uid", uid, "controller", true));
  }

  private void claim(String namespace, String name, String ownerUid) {
    boolean terminating = dice.chance(0.03);
    List<Map<String, Object>> requests = new ArrayList<>();
    for (int i = 0, n = dice.one(1, 1, 1, 2); i < n; i++) {
      requests.add(request("q" + i));
    }
    boolean allocated = !free.isEmpty() && dice.chance(0.25);
    claims.add(
        map(
            "apiVersion",
            "resource.k8s.io/v1",
            "kind",
            "ResourceClaim",
            "metadata",
            map(
                "name",
                name,
                "namespace",
                namespace,
                "uid",
                "uid-" + namespace + "-" + name,
                "deletionTimestamp",
                terminating ? "2026-02-01T00:00:00Z" : null,
                "finalizers",
                terminating ? List.of("example.org/keep") : null,
                "ownerReferences",
                ownerUid == null ? null : owner("owner", ownerUid)),
            "spec",
            map("devices", map("requests", requests, "constraints", constraints())),
            "status",
            allocated ? status() : null));
  }

  private Map<String, Object> request(String name) {
    if (dice.chance(0.25)) {
      List<Map<String, Object>> ranked = new ArrayList<>();
      for (int i = 0, n = dice.between(1, 3); i < n; i++) {
        Map<String, Object> option = option(false);
        option.put("name", "o" + i);
        ranked.add(option);
      }
      return map("name", name, "firstAvailable", ranked);
    }
    return map("name", name, "exactly", option(true));
  }

  private Map<String, Object> option(boolean exactly) {
    boolean all = dice.chance(0.1);
    List<String> selectors =
        dice.some(
            1,
            List.of(
                KnownSelectors.MAY_BE_MODEL_A,
                KnownSelectors.NOT_FIRST,
                KnownSelectors.IS_LARGE,
                KnownSelectors.IS_NEW,
                dice.chance(0.1) ? KnownSelectors.IS_MODEL_A : KnownSelectors.IS_GPU,
                KnownSelectors.NOBODY));
    return map(
        "deviceClassName",
        dice.chance(0.02) ? dice.one("unheard", "unheard", "") : dice.one(DeviceMaker.CLASSES),
        "selectors",
        selectors.isEmpty() || dice.chance(0.4)
            ? null
            : selectors.stream().map(DeviceMaker::selector).toList(),
        "allocationMode",
        all ? "All" : "ExactCount",
        "count",
        all ? null : dice.one(1, 1, 1, 2, 3, dice.chance(0.05) ? 33 : 1),
        "adminAccess",
        exactly && dice.chance(0.08) ? true : null,
        "tolerations",
        modern && dice.chance(0.3) ? List.of(map("key", "health", "operator", "Exists")) : null,
        "capacity",
        modern && dice.chance(0.25)
            ? map(
                "requests",
                map(
                    dice.chance(0.05) ? "cores" : "memory",
                    dice.one("3Gi", "5Gi", "8Gi", "12Gi", "24Gi")))
            : null);
  }

  private List<Map<String, Object>> constraints() {
    if (!dice.chance(0.25)) {
      return null;
    }
    String attribute =
        dice.one("example.org/numa", KnownSelectors.GPU + "/model", KnownSelectors.GPU + "/index");
    List<String> requests = dice.one(List.of("q0"), List.of("q0", "q1"), List.of("q1/o0"), null);
    boolean distinct = modern && dice.chance(0.4);
    return List.of(
        map("requests", requests, distinct ? "distinctAttribute" : "matchAttribute", attribute));
  }

  private Map<String, Object> status() {
    List<String> device = free.remove(dice.below(free.size()));
    boolean waits = modern && dice.chance(0.25);
    boolean shared = modern && dice.chance(0.2);
    Map<String, Object> result =
        map(
            "request",
            dice.one("q0", "q0/o0", "q0/o1"),
            "driver",
            device.get(0),
            "pool",
            device.get(1),
            "device",
            device.get(2),
            "adminAccess",
            dice.chance(0.05) ? true : null,
            "shareID",
            shared ? "a671734a-e8e5-11e4-8fde-42010af09327" : null,
            "consumedCapacity",
            shared ? map("memory", dice.one("4Gi", "8Gi")) : null,
            "bindingConditions",
            waits ? List.of("ready") : null,
            "bindingFailureConditions",
            waits ? List.of("broken") : null);
    Map<String, Object> allocation = new LinkedHashMap<>();
    allocation.put("devices", map("results", List.of(result)));
    if (!device.get(3).isEmpty()) {
      allocation.put("nodeSelector", onNode(device.get(3)));
    }
    if (dice.chance(0.8)) {
      allocation.put(
          "allocationTimestamp", dice.one("2026-01-01T00:00:00Z", "2126-01-01T00:00:00Z"));
    }
    return map(
        "allocation",
        allocation,
        "reservedFor",
        dice.chance(0.4)
            ? List.of(map("resource", "pods", "name", "someone", "uid", "uid-someone"))
            : null,
        "devices",
        waits && dice.chance(0.8) ? List.of(condition(device)) : null);
  }

  private Map<String, Object> condition(List<String> device) {
    return map(
        "driver",
        device.get(0),
        "pool",
        device.get(1),
        "device",
        device.get(2),
        "conditions",
        List.of(
            map(
                "type",
                dice.one("ready", "ready", "broken"),
                "status",
                dice.one("True", "True", "False"),
                "reason",
                "Said",
                "message",
                "",
                "lastTransitionTime",
                "2026-01-01T00:00:00Z")));
  }

  private static Map<String, Object> onNode(String node) {
    return map(
        "nodeSelectorTerms",
        List.of(
            map(
                "matchFields",
                List.of(map("key", "metadata.name", "operator", "In", "values", List.of(node))))));
  }
}
