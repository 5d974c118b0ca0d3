// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.kube.ApiWriter.Reply;
import io.exaplane.scheduler.model.device.ResourceClaim;
import io.exaplane.scheduler.plugin.Grant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells the claims of devices of one pod what they get and who uses it. For one thread, which it
 * blocks. Source: pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, bindClaim,
 * Unreserve.
 */
final class ClaimWriter {
  private static final int MOST_CONFLICTS = 5;

  private final Sender sender;
  private final PodRef pod;
  private final ClaimPlan plan;
  private final ExtendedClaim extended;

  /** Claims that there were and that got devices by this. */
  private final List<ResourceClaim> allocated = new ArrayList<>();

  ClaimWriter(Sender sender, PodRef pod, ClaimPlan plan) {
    this.sender = sender;
    this.pod = pod;
    this.plan = plan;
    extended = new ExtendedClaim(sender, pod, plan.mappings());
  }

  /**
   * Writes all of it.
   *
   * @return why it cannot be, or null
   */
  String write() throws FencedException, InterruptedException {
    for (Grant grant : plan.grants()) {
      String trouble = grant.isNew() ? allocateNew(grant) : allocate(grant);
      if (trouble != null) {
        return trouble;
      }
    }
    for (ResourceClaim claim : plan.shared()) {
      Reply reply =
          sender.send(ClaimRequests.status(claim, Map.of("reservedFor", List.of(user()))));
      if (!reply.isSuccess()) {
        return "add reservation to claim %s: %s".formatted(claim.key(), reply.message());
      }
    }
    return null;
  }

  private String allocateNew(Grant grant) throws FencedException, InterruptedException {
    Reply reply = extended.make(grant.claim());
    if (!reply.isSuccess()) {
      return "create claim for extended resources %s: %s".formatted(pod, reply.message());
    }
    String trouble = allocate(extended.made(), grant, reply.object());
    return trouble == null ? extended.tellPod() : trouble;
  }

  private String allocate(Grant grant) throws FencedException, InterruptedException {
    ResourceClaim claim = grant.claim();
    Map<String, Object> now = null;
    for (int attempt = 0; now == null; attempt++) {
      Reply reply = sender.send(Requests.get(ClaimRequests.path(claim)));
      String trouble = trouble(claim, reply);
      if (trouble != null) {
        return trouble;
      }
      now = protectedFromDeletion(claim, reply.object());
      if (now == null && attempt == MOST_CONFLICTS) {
        return "add finalizer to claim %s: it changes all the time".formatted(claim.key());
      }
    }
    String trouble = allocate(claim, grant, now);
    if (trouble == null) {
      allocated.add(claim);
    }
    return trouble;
  }

  private String allocate(ResourceClaim claim, Grant grant, Map<String, Object> now)
      throws FencedException, InterruptedException {
    Map<String, Object> status = new LinkedHashMap<>();
    status.put(
        "allocation", Allocations.of(grant.allocation(), now, classes(now, grant), Instant.now()));
    status.put("reservedFor", List.of(user()));
    Reply reply = sender.send(ClaimRequests.status(claim, status));
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
    List<Object> finalizers = new ArrayList<>(ClaimRequests.finalizers(now));
    if (finalizers.contains(ClaimRequests.FINALIZER)) {
      return now;
    }
    finalizers.add(ClaimRequests.FINALIZER);
    Reply reply = sender.send(ClaimRequests.finalizers(claim, now, finalizers));
    return reply.isSuccess() ? reply.object() : null;
  }

  /** Configuration comes from them; one that is gone has none. */
  private Map<String, Map<String, Object>> classes(Map<String, Object> claim, Grant grant)
      throws FencedException, InterruptedException {
    Map<String, Map<String, Object>> classes = new HashMap<>();
    for (Allocations.Selected each : Allocations.selected(claim, grant.allocation())) {
      String name = each.deviceClass();
      if (!name.isEmpty() && !classes.containsKey(name)) {
        Reply reply = sender.send(ClaimRequests.deviceClass(name));
        classes.put(name, reply.isSuccess() ? reply.object() : Map.of());
      }
    }
    return classes;
  }

  /**
   * The pod does not use them after all. What a claim was given for it alone it gives back, so that
   * nobody has to remember it until the API server tells of it; one that was made for it goes.
   */
  void release() throws FencedException, InterruptedException {
    List<Map<String, Object>> gone = List.of(Map.of("$patch", "delete", "uid", pod.uid()));
    Map<String, Object> nothing = new LinkedHashMap<>();
    nothing.put("allocation", null);
    nothing.put("reservedFor", gone);
    for (ResourceClaim claim : allocated) {
      // Refused where others use it by now.
      if (!sender.send(ClaimRequests.status(claim, nothing)).isSuccess()) {
        sender.send(ClaimRequests.status(claim, Map.of("reservedFor", gone)));
      }
    }
    Set<ResourceClaim> used = new LinkedHashSet<>(plan.shared());
    used.addAll(plan.unready());
    for (ResourceClaim claim : used) {
      sender.send(ClaimRequests.status(claim, Map.of("reservedFor", gone)));
    }
    extended.release();
  }

  /**
   * A claim's devices cannot be used where its pod could go: it gives them back, or goes if it was
   * made for extended resources.
   */
  static void deallocate(Sender sender, ResourceClaim claim)
      throws FencedException, InterruptedException {
    if (claim.forExtendedResources()) {
      ExtendedClaim.delete(sender, claim);
      return;
    }
    Map<String, Object> nothing = new LinkedHashMap<>();
    nothing.put("allocation", null);
    nothing.put("reservedFor", null);
    sender.send(ClaimRequests.status(claim, nothing));
  }

  private Map<String, Object> user() {
    return Map.of("resource", "pods", "name", pod.name(), "uid", pod.uid());
  }
}
