// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.claim;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is written on the claim of a store: whose data it holds. A claim outlives its StatefulSet,
 * whose template of claims can't be changed; so the record is put on the claim itself. Pure.
 */
public final class ClaimRecord {
  /** UID of the StoreShard whose data a claim holds. */
  public static final String STORE_UID = "exaplane.io/store-uid";

  /** The engine that wrote it: each has a form of its own. */
  public static final String ENGINE = "exaplane.io/store-engine";

  private ClaimRecord() {}

  /** The claim's name, as the StatefulSet makes it. */
  public static String claim(StoreShard shard) {
    return claim(shard.getMetadata().getName());
  }

  /** The name of the claim of the StoreShard of this name. */
  public static String claim(String shard) {
    return "data-" + shard + "-0";
  }

  /** Whether a claim says all that it should. */
  static boolean isOn(StoreShard shard, PersistentVolumeClaim claim) {
    return has(claim.getMetadata().getLabels(), labels(shard))
        && has(claim.getMetadata().getAnnotations(), annotations(shard));
  }

  private static boolean has(Map<String, String> there, Map<String, String> wanted) {
    return there != null && there.entrySet().containsAll(wanted.entrySet());
  }

  /** The claim with its record and nothing else, for server-side apply. */
  static PersistentVolumeClaim patch(StoreShard shard, PersistentVolumeClaim claim) {
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName(claim.getMetadata().getName())
        .withNamespace(claim.getMetadata().getNamespace())
        // Of this one, and never of one that would have to be made.
        .withUid(claim.getMetadata().getUid())
        .withLabels(labels(shard))
        .withAnnotations(annotations(shard))
        .endMetadata()
        .build();
  }

  private static Map<String, String> labels(StoreShard shard) {
    Map<String, String> labels = StoreNames.labelsWithOwner(shard);
    copy(shard.getMetadata().getLabels(), ControlPlaneNames.STORE_LABEL, labels);
    return labels;
  }

  private static Map<String, String> annotations(StoreShard shard) {
    Map<String, String> annotations = new TreeMap<>();
    annotations.put(STORE_UID, shard.getMetadata().getUid());
    annotations.put(ENGINE, shard.getSpec().engine().name());
    copy(shard.getMetadata().getAnnotations(), StoreNames.ROUTES_ANNOTATION, annotations);
    StoreNames.controlPlaneUid(shard)
        .ifPresent(uid -> annotations.put(ControlPlaneNames.CONTROL_PLANE_UID, uid));
    return annotations;
  }

  private static void copy(Map<String, String> from, String key, Map<String, String> to) {
    Optional.ofNullable(from).map(all -> all.get(key)).ifPresent(value -> to.put(key, value));
  }
}
