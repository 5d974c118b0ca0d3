// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.kube.ApiWriter.Reply;
import io.exaplane.scheduler.kube.ApiWriter.Request;
import io.exaplane.scheduler.model.device.ResourceClaim;
import io.exaplane.scheduler.plugin.Grant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells claims of devices what they get and who uses it. Any thread; it blocks the one that asks.
 * Source: pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, bindClaim,
 * Unreserve.
 */
final class ClaimWriter {
  private static final String GROUP = "/apis/resource.k8s.io/v1/";
  private static final String FINALIZER = "resource.kubernetes.io/delete-protection";
  private static final String MERGE = "application/merge-patch+json";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";
  private static final int MOST_CONFLICTS = 5;

  private final Sender sender;

  ClaimWriter(Sender sender) {
    this.sender = sender;
  }

  /**
   * Writes all of it.
   *
   * @return why it cannot be, or null
   */
  String write(PodRef pod, ClaimPlan plan) throws FencedException, InterruptedException {
    for (Grant grant : plan.grants()) {
      String trouble = allocate(pod, grant);
      if (trouble != null) {
        return trouble;
      }
    }
    for (ResourceClaim claim : plan.shared()) {
      Reply reply = sender.send(status(claim, Map.of("reservedFor", List.of(user(pod)))));
      if (!reply.isSuccess()) {
        return "add reservation to claim %s: %s".formatted(claim.key(), reply.message());
      }
    }
    return null;
  }

  private String allocate(PodRef pod, Grant grant) throws FencedException, InterruptedException {
    ResourceClaim claim = grant.claim();
    Map<String, Object> now = null;
    for (int attempt = 0; now == null; attempt++) {
      Reply reply = sender.send(Requests.get(path(claim)));
      String trouble = trouble(claim, reply);
      if (trouble != null) {
        return trouble;
      }
      now = protectedFromDeletion(claim, reply.object());
      if (now == null && attempt == MOST_CONFLICTS) {
        return "add finalizer to claim %s: it changes all the time".formatted(claim.key());
      }
    }
    Map<String, Object> status = new LinkedHashMap<>();
    status.put(
        "allocation", Allocations.of(grant.allocation(), now, classes(now, grant), Instant.now()));
    status.put("reservedFor", List.of(user(pod)));
    Reply reply = sender.send(status(claim, status));
    return reply.isSuccess()
        ? null
        : "add allocation and reservation to claim %s: %s".formatted(claim.key(), reply.message());
  }

  private static String trouble(ResourceClaim claim, Reply reply) {
    if (!reply.isSuccess()) {
      return "claim %s: %s".formatted(claim.key(), reply.message());
    }
    Map<String, Object> metadata = Allocations.child(reply.object(), "metadata");
    if (!Allocations.text(metadata, "uid").equals(claim.uid())) {
      return "claim %s was made anew".formatted(claim.key());
    }
    if (metadata.containsKey("deletionTimestamp")) {
      return "claim %s got deleted in the meantime".formatted(claim.key());
    }
    return Allocations.child(reply.object(), "status").containsKey("allocation")
        ? "claim %s got allocated elsewhere in the meantime".formatted(claim.key())
        : null;
  }

  /** As it is when it cannot go without its devices being given back; null if it changed. */
  private Map<String, Object> protectedFromDeletion(ResourceClaim claim, Map<String, Object> now)
      throws FencedException, InterruptedException {
    Map<String, Object> metadata = Allocations.child(now, "metadata");
    List<Object> finalizers = new ArrayList<>();
    if (metadata.get("finalizers") instanceof List<?> all) {
      finalizers.addAll(all);
    }
    if (finalizers.contains(FINALIZER)) {
      return now;
    }
    finalizers.add(FINALIZER);
    Map<String, Object> patch =
        Map.of(
            "metadata",
            Map.of(
                "resourceVersion",
                Allocations.text(metadata, "resourceVersion"),
                "finalizers",
                finalizers));
    Reply reply = sender.send(new Request("PATCH", path(claim), MERGE, patch));
    return reply.isSuccess() ? reply.object() : null;
  }

  /** Configuration comes from them; one that is gone has none. */
  private Map<String, Map<String, Object>> classes(Map<String, Object> claim, Grant grant)
      throws FencedException, InterruptedException {
    Map<String, Map<String, Object>> classes = new HashMap<>();
    for (Allocations.Selected each : Allocations.selected(claim, grant.allocation())) {
      String name = each.deviceClass();
      if (!name.isEmpty() && !classes.containsKey(name)) {
        Reply reply = sender.send(Requests.get(GROUP + "deviceclasses/" + name));
        classes.put(name, reply.isSuccess() ? reply.object() : Map.of());
      }
    }
    return classes;
  }

  /** The pod does not use them after all; what they were given they keep until it is needed. */
  void release(PodRef pod, ClaimPlan plan) throws FencedException, InterruptedException {
    List<ResourceClaim> all = new ArrayList<>(plan.shared());
    plan.grants().forEach(grant -> all.add(grant.claim()));
    Map<String, Object> gone = Map.of("$patch", "delete", "uid", pod.uid());
    for (ResourceClaim claim : all) {
      sender.send(status(claim, Map.of("reservedFor", List.of(gone))));
    }
  }

  /** A claim's devices cannot be used where its pod could go: it gives them back. */
  void deallocate(ResourceClaim claim) throws FencedException, InterruptedException {
    Map<String, Object> nothing = new LinkedHashMap<>();
    nothing.put("allocation", null);
    nothing.put("reservedFor", null);
    sender.send(status(claim, nothing));
  }

  private static Request status(ResourceClaim claim, Map<String, Object> status) {
    return new Request(
        "PATCH",
        path(claim) + "/status",
        STRATEGIC,
        Map.of("metadata", Map.of("uid", claim.uid()), "status", status));
  }

  private static Map<String, Object> user(PodRef pod) {
    return Map.of("resource", "pods", "name", pod.name(), "uid", pod.uid());
  }

  private static String path(ResourceClaim claim) {
    return GROUP + "namespaces/" + claim.namespace() + "/resourceclaims/" + claim.name();
  }
}
