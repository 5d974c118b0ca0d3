// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.claim;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.storeshard.set.OwnSet;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether a store that is made may take a claim that is there before it. A StatefulSet takes any
 * claim of the right name; this operator lets it take only what an earlier store of the same name
 * left, or what a person labelled as that.
 */
public final class ClaimCheck {
  private static final String KEY = ClaimCheck.class.getName();

  private ClaimCheck() {}

  /** Looks, while there is no StatefulSet yet, and remembers the answer for this reconciliation. */
  public static boolean allows(StoreShard shard, Context<StoreShard> context) {
    boolean starts = StoreNames.isPersistent(shard) && OwnSet.of(shard, context).isEmpty();
    Optional<String> objection =
        starts
            ? objection(
                shard,
                context
                    .getClient()
                    .persistentVolumeClaims()
                    .inNamespace(shard.getMetadata().getNamespace())
                    .withName(ClaimRecord.claim(shard))
                    .get())
            : Optional.empty();
    context.managedWorkflowAndDependentResourceContext().put(KEY, objection.orElse(""));
    return objection.isEmpty();
  }

  /** What was found to be against it in this reconciliation. */
  public static Optional<String> found(Context<StoreShard> context) {
    return context
        .managedWorkflowAndDependentResourceContext()
        .get(KEY, String.class)
        .filter(objection -> !objection.isEmpty());
  }

  /** Why a store must not take a claim, and what to do. Pure. */
  static Optional<String> objection(StoreShard shard, PersistentVolumeClaim claim) {
    if (claim == null) {
      return Optional.empty();
    }
    Optional<String> leaving = ClaimOwner.leaving(shard, claim);
    if (leaving.isPresent()) {
      return leaving.map(why -> waits(shard, why));
    }
    Map<String, String> labels =
        Objects.requireNonNullElse(claim.getMetadata().getLabels(), Map.of());
    Map<String, String> wanted = StoreNames.labelsWithOwner(shard);
    String owner = labels.get(ControlPlaneNames.CONTROL_PLANE_LABEL);
    String engine =
        claim.getMetadata().getAnnotations() == null
            ? null
            : claim.getMetadata().getAnnotations().get(ClaimRecord.ENGINE);
    String whose = null;
    if (!Names.MANAGED_BY.equals(labels.get(Names.MANAGED_BY_LABEL))
        || !shard.getMetadata().getName().equals(labels.get(StoreNames.SHARD_LABEL))) {
      whose = "has no record of a store with this name";
    } else if (!Objects.equals(owner, wanted.get(ControlPlaneNames.CONTROL_PLANE_LABEL))) {
      whose =
          owner == null
              ? "holds the data of a StoreShard that belonged to no ControlPlane"
              : "holds the data of a store of ControlPlane " + owner;
    } else if (engine != null && !engine.equals(shard.getSpec().engine().name())) {
      whose = "was written by the engine " + engine + ", whose data this engine cannot read";
    }
    return Optional.ofNullable(whose).map(why -> message(shard, why, wanted));
  }

  private static String waits(StoreShard shard, String why) {
    return "PersistentVolumeClaim %s %s. The store starts with a new claim after that, and the operator checks again within 2 minutes. If this persists for 5 minutes, check 'kubectl -n %s describe pvc %s': a pod or a finalizer may hold the claim."
        .formatted(
            ClaimRecord.claim(shard),
            why,
            shard.getMetadata().getNamespace(),
            ClaimRecord.claim(shard));
  }

  private static String message(StoreShard shard, String why, Map<String, String> wanted) {
    String claim = ClaimRecord.claim(shard);
    String namespace = shard.getMetadata().getNamespace();
    return "PersistentVolumeClaim %s existed before the store and %s, so the store does not start. To delete the claim and its data, run 'kubectl -n %s delete pvc %s'. To use the claim for this store, run 'kubectl -n %s label --overwrite pvc %s %s' and 'kubectl -n %s annotate pvc %s %s-'."
        .formatted(
            claim,
            why,
            namespace,
            claim,
            namespace,
            claim,
            wanted.entrySet().stream()
                    .map(label -> label.getKey() + "=" + label.getValue())
                    .collect(Collectors.joining(" "))
                + (wanted.containsKey(ControlPlaneNames.CONTROL_PLANE_LABEL)
                    ? ""
                    : " " + ControlPlaneNames.CONTROL_PLANE_LABEL + "-"),
            namespace,
            claim,
            ClaimRecord.ENGINE);
  }
}
