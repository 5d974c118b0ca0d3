// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.engine.device.ExtendedRequests.Mapping;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.kube.ApiWriter.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The claim that stands for the extended resources of a pod which are devices on its node. For one
 * thread, which it blocks. Source:
 * pkg/scheduler/framework/plugins/dynamicresources/extendeddynamicresources.go.
 */
final class ExtendedClaim {
  private static final String SUFFIX = "-extended-resources-";

  /** As names that a server generates: so much before what is random. */
  private static final int LONGEST_PREFIX = 58;

  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
  private static final int RANDOM_LETTERS = 5;
  private static final int MOST_CONFLICTS = 5;

  private final Sender sender;
  private final PodRef pod;
  private final List<Mapping> mappings;

  /** Null until it is made. */
  private ResourceClaim made;

  ExtendedClaim(Sender sender, PodRef pod, List<Mapping> mappings) {
    this.sender = sender;
    this.pod = pod;
    this.mappings = mappings;
  }

  /** Random, but not the server's: a request that is sent again makes no second claim. */
  private static String nameFor(PodRef pod) {
    String prefix = pod.name() + SUFFIX;
    StringBuilder text =
        new StringBuilder(prefix.substring(0, Math.min(prefix.length(), LONGEST_PREFIX)));
    for (int i = 0; i < RANDOM_LETTERS; i++) {
      text.append(LETTERS.charAt(ThreadLocalRandom.current().nextInt(LETTERS.length())));
    }
    return text.toString();
  }

  /** Makes it; it is the one that the server answers with. */
  Reply make(ResourceClaim planned) throws FencedException, InterruptedException {
    ResourceClaim named = planned.named(nameFor(pod), "");
    Reply reply = sender.send(ClaimRequests.made(pod, named));
    if (reply.status() == HttpStatus.CONFLICT) {
      Reply there = sender.send(Requests.get(ClaimRequests.path(named)));
      reply = there.isSuccess() && isOurs(there.object()) ? there : reply;
    }
    if (reply.isSuccess()) {
      Map<String, Object> metadata = Allocations.child(reply.object(), "metadata");
      made = named.named(named.name(), Allocations.text(metadata, "uid"));
    }
    return reply;
  }

  private boolean isOurs(Map<String, Object> claim) {
    return Allocations.list(Allocations.child(claim, "metadata"), "ownerReferences").stream()
        .anyMatch(owner -> Allocations.text(owner, "uid").equals(pod.uid()));
  }

  /** What was planned, as it was made; or null. */
  ResourceClaim made() {
    return made;
  }

  /**
   * Tells the pod's kubelet which container gets what of it.
   *
   * @return why it cannot be told, or null
   */
  String tellPod() throws FencedException, InterruptedException {
    List<Map<String, Object>> all =
        mappings.stream()
            .<Map<String, Object>>map(
                each ->
                    Map.of(
                        "containerName", each.container(),
                        "resourceName", each.resource(),
                        "requestName", each.request()))
            .toList();
    Map<String, Object> status =
        Map.of(
            "extendedResourceClaimStatus",
            Map.of("resourceClaimName", made.name(), "requestMappings", all));
    Reply reply = sender.send(Requests.statusPatch(pod, status));
    return reply.isSuccess()
        ? null
        : "update pod %s ExtendedResourceClaimStatus: %s".formatted(pod, reply.message());
  }

  /** The pod does not use it after all, if it was made. */
  void release() throws FencedException, InterruptedException {
    if (made != null) {
      delete(sender, made);
    }
  }

  /** Deletes one, and what keeps it from going. */
  static void delete(Sender sender, ResourceClaim claim)
      throws FencedException, InterruptedException {
    for (int attempt = 0; attempt < MOST_CONFLICTS; attempt++) {
      Reply now = sender.send(Requests.get(ClaimRequests.path(claim)));
      if (!now.isSuccess()) {
        return;
      }
      List<Object> finalizers = new ArrayList<>(ClaimRequests.finalizers(now.object()));
      if (!finalizers.remove(ClaimRequests.FINALIZER)
          || sender.send(ClaimRequests.finalizers(claim, now.object(), finalizers)).isSuccess()) {
        sender.send(ClaimRequests.deletion(claim));
        return;
      }
    }
  }
}
