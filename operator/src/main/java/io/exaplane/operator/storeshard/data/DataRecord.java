// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.data;

import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.OnDataLoss;
import io.exaplane.api.v1alpha1.StoreDataLoss;
import io.exaplane.api.v1alpha1.StoreDurability;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.wait.VolumeGuard;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of the data of a store, and which data its pod must find. Pure.
 *
 * @param dataId the data's id; null when there was none yet
 * @param loss the data is not there; null when it is
 */
public record DataRecord(String dataId, StoreDataLoss loss) {
  /** On a ControlPlane or StoreShard: ids of losses that a person accepts, with commas between. */
  public static final String ACCEPT_ANNOTATION = "exaplane.io/accept-data-loss";

  /** On a StoreShard of a ControlPlane: what the ControlPlane knows of the data. */
  public static final String KNOWN_ANNOTATION = "exaplane.io/data-id";

  /** What was told of a store, or what its owner knows of it. */
  public static DataRecord known(StoreShard shard) {
    StoreShardStatus status = shard.getStatus();
    if (status != null && status.dataId() != null) {
      return new DataRecord(status.dataId(), status.dataLoss());
    }
    return new DataRecord(
        annotation(shard, KNOWN_ANNOTATION).orElse(null),
        status == null ? null : status.dataLoss());
  }

  /**
   * The id that a pod must find on its volume before the store starts.
   *
   * @param toldBefore what its pods were told so far: a status can be lost
   * @return as {@link VolumeGuard#EXPECTED} has it
   */
  public static String expected(StoreShard shard, Optional<String> toldBefore) {
    DataRecord known = known(shard);
    if (shard.getSpec().effectiveOnDataLoss() == OnDataLoss.StartEmpty) {
      return "";
    }
    if (known.loss != null && known.loss.wasAccepted()) {
      return VolumeGuard.ACCEPTED + known.loss.incident();
    }
    return known.dataId == null ? toldBefore.orElse("") : known.dataId;
  }

  /** The newest revision that is known of the data that a pod must find; 0 when any will do. */
  public static long leastRevision(StoreShard shard) {
    StoreShardStatus status = shard.getStatus();
    boolean any =
        status == null
            || status.revision() == null
            || shard.getSpec().effectiveOnDataLoss() == OnDataLoss.StartEmpty
            || status.dataLoss() != null && status.dataLoss().wasAccepted();
    if (any) {
      return 0;
    }
    if (status.durableRevision() != null) {
      return status.durableRevision();
    }
    return losesSome(shard.getSpec().memory()) ? 0 : status.revision();
  }

  /** Whether the newest revision says nothing of what a restart finds. */
  private static boolean losesSome(MemoryEngineSpec memory) {
    return memory != null
        && memory.prefixes() != null
        && memory.prefixes().stream()
            .anyMatch(
                each -> each.durability() != null && each.durability() != StoreDurability.Fsync);
  }

  /** Whether a person accepts the loss by the annotation. */
  public static boolean isAccepted(StoreShard shard, String incident) {
    return annotation(shard, ACCEPT_ANNOTATION).stream()
        .flatMap(text -> Arrays.stream(text.split(",")))
        .anyMatch(each -> each.strip().equals(incident));
  }

  private static Optional<String> annotation(StoreShard shard, String name) {
    Map<String, String> annotations = shard.getMetadata().getAnnotations();
    return annotations == null
        ? Optional.empty()
        : Optional.ofNullable(annotations.get(name)).filter(text -> !text.isBlank());
  }
}
