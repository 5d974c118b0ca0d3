// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import static java.util.stream.Collectors.toSet;

import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.DeviceId;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.plugin.Grant;
import io.exaplane.scheduler.kube.ApiWriter.Reply;
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

  /** Uids of claims that there were and that got devices by this. */
  private final Set<String> allocated = new LinkedHashSet<>();

  /** Claims that are kept for the pod by this, or may be: not every answer arrives. */
  private final List<ResourceClaim> reserved = new ArrayList<>();

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
      String trouble = share(claim);
      if (trouble != null) {
        return trouble;
      }
    }
    return null;
  }

  /** It may have got others meanwhile; once it is kept for the pod it cannot any more. */
  private String share(ResourceClaim claim) throws FencedException, InterruptedException {
    reserved.add(claim);
    Reply reply = sender.send(ClaimRequests.status(claim, Map.of("reservedFor", List.of(user()))));
    if (!reply.isSuccess()) {
      return "add reservation to claim %s: %s".formatted(claim.key(), reply.message());
    }
    Set<DeviceId> devices =
        claim.allocation().results().stream().map(Allocation.Result::device).collect(toSet());
    return Allocations.devices(reply.object()).equals(devices)
        ? null
        : "claim %s got allocated elsewhere in the meantime".formatted(claim.key());
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
        return "add finalizer to claim %s: another client changed the claim at every attempt"
            .formatted(claim.key());
      }
    }
    reserved.add(claim);
    String trouble = allocate(claim, grant, now);
    if (trouble == null) {
      allocated.add(claim.uid());
    }
    return trouble;
  }

  private String allocate(ResourceClaim claim, Grant grant, Map<String, Object> now)
      throws FencedException, InterruptedException {
    Map<String, Map<String, Object>> classes = new HashMap<>();
    String trouble = readClasses(now, grant, classes);
    if (trouble != null) {
      return trouble;
    }
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("allocation", Allocations.of(grant.allocation(), now, classes, Instant.now()));
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
      return "claim %s was deleted and created again".formatted(claim.key());
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
  private String readClasses(
      Map<String, Object> claim, Grant grant, Map<String, Map<String, Object>> to)
      throws FencedException, InterruptedException {
    for (Allocations.Selected each : Allocations.selected(claim, grant.allocation())) {
      String name = each.deviceClass();
      if (!name.isEmpty() && !to.containsKey(name)) {
        Reply reply = sender.send(ClaimRequests.deviceClass(name));
        if (!reply.isSuccess() && reply.status() != HttpStatus.NOT_FOUND) {
          return "device class %s: %s".formatted(name, reply.message());
        }
        to.put(name, reply.isSuccess() ? reply.object() : Map.of());
      }
    }
    return null;
  }

  /** Uids of the claims that have what they were given, and keep it. */
  Set<String> allocated() {
    return Set.copyOf(allocated);
  }

  /** The claim that was made for the pod's extended resources, or null. */
  ResourceClaim made() {
    return extended.made();
  }

  /**
   * The pod does not use them after all. What claims were given they keep: its next attempt, or
   * another pod, uses it. One that was made for it goes.
   */
  void release() throws FencedException, InterruptedException {
    Set<ResourceClaim> used = new LinkedHashSet<>(reserved);
    used.addAll(plan.unready());
    for (ResourceClaim claim : used) {
      sender.send(ClaimRequests.status(claim, Map.of("reservedFor", gone(pod))));
    }
    extended.release();
  }

  private static List<Map<String, Object>> gone(PodRef pod) {
    return List.of(Map.of("$patch", "delete", "uid", pod.uid()));
  }

  /**
   * A claim's devices cannot be used where its pod could go: it gives them back, unless others use
   * them by now, or goes if it was made for extended resources.
   */
  static void deallocate(Sender sender, ResourceClaim claim, PodRef pod)
      throws FencedException, InterruptedException {
    if (claim.forExtendedResources()) {
      ExtendedClaim.delete(sender, claim);
      return;
    }
    Map<String, Object> nothing = new LinkedHashMap<>();
    nothing.put("allocation", null);
    nothing.put("reservedFor", gone(pod));
    sender.send(ClaimRequests.status(claim, nothing));
  }

  private Map<String, Object> user() {
    return Map.of("resource", "pods", "name", pod.name(), "uid", pod.uid());
  }
}
