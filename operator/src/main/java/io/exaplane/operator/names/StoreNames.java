// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.names;

import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Names and labels of the objects that make up one store. Pure. */
public final class StoreNames {
  /** On every object and pod of a store: the StoreShard's name. */
  public static final String SHARD_LABEL = "exaplane.io/store-shard";

  public static final String SELECTOR = Names.MANAGED_BY_SELECTOR + "," + SHARD_LABEL;

  /**
   * The routes that were chosen, as JSON, on each StoreShard of a control plane and on its claims.
   */
  public static final String ROUTES_ANNOTATION = "exaplane.io/routes";

  private StoreNames() {}

  /** The ConfigMap with what the pod is made of; {@code demo-bundle} is a control plane's. */
  public static String bundle(StoreShard shard) {
    return shard.getMetadata().getName() + "-store-bundle";
  }

  /** Labels of an object of the store. */
  public static Map<String, String> labels(StoreShard shard) {
    Map<String, String> labels = selector(shard);
    labels.put(Names.MANAGED_BY_LABEL, Names.MANAGED_BY);
    return labels;
  }

  /** The same, with the label that names the control plane whose store it is, if it is one's. */
  public static Map<String, String> labelsWithOwner(StoreShard shard) {
    Map<String, String> labels = labels(shard);
    Map<String, String> own = shard.getMetadata().getLabels();
    if (own != null && own.containsKey(ControlPlaneNames.CONTROL_PLANE_LABEL)) {
      labels.put(
          ControlPlaneNames.CONTROL_PLANE_LABEL, own.get(ControlPlaneNames.CONTROL_PLANE_LABEL));
    }
    return labels;
  }

  /** The labels by which the store's pod is selected; they never change. */
  public static Map<String, String> selector(StoreShard shard) {
    Map<String, String> labels = new TreeMap<>();
    labels.put(SHARD_LABEL, shard.getMetadata().getName());
    return labels;
  }

  /** UID of the control plane that owns an object, if one does. */
  public static Optional<String> controlPlaneUid(HasMetadata object) {
    return controlPlane(object).map(OwnerReference::getUid);
  }

  /** The reference to the control plane that owns an object, if one does. */
  public static Optional<OwnerReference> controlPlane(HasMetadata object) {
    return object.getMetadata().getOwnerReferences().stream()
        .filter(reference -> reference.getApiVersion().startsWith(Names.GROUP + "/"))
        .filter(reference -> "ControlPlane".equals(reference.getKind()))
        .findFirst();
  }

  /** Whether somebody said on a store that it may be deleted. */
  public static boolean mayBeDeleted(StoreShard shard) {
    Map<String, String> annotations = shard.getMetadata().getAnnotations();
    return annotations != null
        && shard.getMetadata().getName().equals(annotations.get(Names.ALLOW_DELETION));
  }

  /** Whether replacing the pod empties a store that must not be lost. */
  public static boolean dataGoesWithPod(StoreShard shard, Optional<StatefulSet> existing) {
    return !isPersistent(shard, existing) && isCritical(shard);
  }

  /** The same of a store of which nothing else is known. */
  public static boolean dataGoesWithPod(StoreShard shard) {
    return dataGoesWithPod(shard, Optional.empty());
  }

  /** Whether the data of a store that is made now outlives the pod. */
  public static boolean isPersistent(StoreShard shard) {
    return isPersistent(shard, Optional.empty());
  }

  /**
   * Whether the data outlives the pod. A store that is there keeps the kind of volume that it has:
   * the default was another one once.
   */
  public static boolean isPersistent(StoreShard shard, Optional<StatefulSet> existing) {
    VolumeSpec volume = shard.getSpec().storage();
    return existing
        .filter(_ -> volume == null || volume.type() == null)
        .map(set -> !set.getSpec().getVolumeClaimTemplates().isEmpty())
        .orElseGet(
            () -> VolumeSpec.type(volume, shard.getSpec().effectiveCriticality()).outlivesPod());
  }

  /** Whether the store must not be lost. */
  public static boolean isCritical(StoreShard shard) {
    return shard.getSpec().effectiveCriticality() == Criticality.Critical;
  }
}
