// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.data;

import io.exaplane.api.v1alpha1.StoreDataLoss;
import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What became of a store's data since its status was last told: a pod's guard says whether the data
 * is there. Pods without a guard, those of BestEffort stores and of older operators, are known by
 * their volume. Pure.
 */
public final class DataLife {
  private static final int INCIDENT_DIGITS = 8;

  private DataLife() {}

  /**
   * What is known now.
   *
   * @param pod the store's pod, when there is one that is not being deleted
   * @param volumeUid identity of its volume, for a pod without a guard
   * @param lastRevision the newest revision that was seen, null if none was
   */
  public static DataRecord next(
      StoreShard shard,
      Optional<Pod> pod,
      Optional<String> volumeUid,
      Long lastRevision,
      Instant now) {
    DataRecord known = DataRecord.known(shard);
    if (pod.isEmpty()) {
      return accept(shard, known);
    }
    if (!GuardReport.isIn(pod.get())) {
      return new DataRecord(volumeUid.orElse(known.dataId()), null);
    }
    Optional<GuardReport> report = GuardReport.of(pod.get());
    if (report.isEmpty()) {
      return accept(shard, known);
    }
    if (report.get().dataId() != null) {
      return new DataRecord(report.get().dataId(), null);
    }
    StoreDataLoss loss =
        known.loss() != null
            ? known.loss()
            : lost(shard, known.dataId(), report.get().found(), lastRevision, now);
    return accept(shard, new DataRecord(known.dataId(), loss));
  }

  private static DataRecord accept(StoreShard shard, DataRecord record) {
    StoreDataLoss loss = record.loss();
    return loss != null && !loss.wasAccepted() && DataRecord.isAccepted(shard, loss.incident())
        ? new DataRecord(record.dataId(), loss.accept())
        : record;
  }

  /** The id has the time in it: accepting this loss accepts no later one of the same data. */
  private static StoreDataLoss lost(
      StoreShard shard, String dataId, String found, Long lastRevision, Instant now) {
    String since = now.truncatedTo(ChronoUnit.SECONDS).toString();
    String what = shard.getMetadata().getUid() + " " + dataId + " " + since;
    String incident = shard.getMetadata().getName() + "-" + digest(what);
    return new StoreDataLoss(incident, since, found, lastRevision, null);
  }

  private static String digest(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, INCIDENT_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the Java runtime has no SHA-256", e);
    }
  }
}
