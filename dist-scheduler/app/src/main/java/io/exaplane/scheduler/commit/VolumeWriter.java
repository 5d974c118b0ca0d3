// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.plugin.VolumePlan;
import io.exaplane.scheduler.kube.ApiWriter.Reply;
import java.util.Map;

/**
 * Tells the controllers of volumes what was decided: which volume a claim gets, and for which node
 * others are to be made. Any thread; it blocks the one that asks. Source:
 * pkg/scheduler/framework/plugins/volumebinding/binder.go, bindAPIUpdate.
 */
final class VolumeWriter {
  private static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  private final Sender sender;

  VolumeWriter(Sender sender) {
    this.sender = sender;
  }

  /**
   * Writes all of it.
   *
   * @return why it cannot be, or null
   */
  String write(VolumePlan plan) throws FencedException, InterruptedException {
    for (var entry : plan.found().entrySet()) {
      String trouble = bind(entry.getKey().name(), entry.getValue());
      if (trouble != null) {
        return trouble;
      }
    }
    for (Claim claim : plan.toMake()) {
      String trouble = select(claim, plan.node());
      if (trouble != null) {
        return trouble;
      }
    }
    return null;
  }

  private String bind(String volume, Claim claim) throws FencedException, InterruptedException {
    String path = "/api/v1/persistentvolumes/" + volume;
    Reply reply = sender.send(Requests.get(path));
    if (!reply.isSuccess()) {
      return volume + ": " + reply.message();
    }
    Fields now = Fields.of(reply.object(), volume);
    Fields holder = now.child("spec").child("claimRef");
    boolean isFree = !now.child("spec").has("claimRef");
    boolean isOurs =
        holder.string("namespace").equals(claim.namespace())
            && holder.string("name").equals(claim.name())
            && (!holder.has("uid") || holder.string("uid").equals(claim.uid()));
    if (!isFree && !isOurs) {
      return "persistentvolume \"%s\" is reserved for %s/%s"
          .formatted(volume, holder.string("namespace"), holder.string("name"));
    }
    Map<String, Object> reference =
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "PersistentVolumeClaim",
            "namespace",
            claim.namespace(),
            "name",
            claim.name(),
            "uid",
            claim.uid());
    Map<String, Object> annotations = isFree ? Map.of(BOUND_BY_CONTROLLER, "yes") : Map.of();
    return patch(path, now, annotations, Map.of("claimRef", reference));
  }

  private String select(Claim claim, String node) throws FencedException, InterruptedException {
    String path = path(claim);
    Reply reply = sender.send(Requests.get(path));
    if (!reply.isSuccess()) {
      return claim.key() + ": " + reply.message();
    }
    Fields now = Fields.of(reply.object(), claim.key());
    if (!now.child("metadata").string("uid").equals(claim.uid())) {
      return claim.key() + " was deleted and created again";
    }
    String selected = now.child("metadata").child("annotations").string(SELECTED_NODE);
    if (!selected.isEmpty() && !selected.equals(node)) {
      return "the volume of %s is being created for node %s".formatted(claim.key(), selected);
    }
    return patch(path, now, Map.of(SELECTED_NODE, node), Map.of());
  }

  private static String path(Claim claim) {
    return "/api/v1/namespaces/%s/persistentvolumeclaims/%s"
        .formatted(claim.namespace(), claim.name());
  }

  private String patch(
      String path, Fields now, Map<String, Object> annotations, Map<String, Object> spec)
      throws FencedException, InterruptedException {
    String version = now.child("metadata").string("resourceVersion");
    Reply reply = sender.send(Requests.patch(path, version, annotations, spec));
    return reply.isSuccess() ? null : path + ": " + reply.message();
  }
}
