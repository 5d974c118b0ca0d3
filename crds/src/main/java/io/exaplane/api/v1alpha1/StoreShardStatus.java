// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** What is known of a store. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StoreShardStatus(
    @JsonPropertyDescription("Generation of the spec that this status describes.")
        Long observedGeneration,
    @JsonPropertyDescription("URL at which the store serves etcd v3.") String endpoint,
    @JsonPropertyDescription("The addresses of the store's Service.") ServiceAddresses service,
    @JsonPropertyDescription(
            "Identity of the data: an id on the volume. For a store of an older operator and for a "
                + "BestEffort store, the identity of the volume. A new value means that the store "
                + "started with other data.")
        String dataId,
    @JsonPropertyDescription("Number of times that the store started empty after it had held data.")
        Integer dataLosses,
    @JsonPropertyDescription("Data that the store had and no longer finds.") StoreDataLoss dataLoss,
    @JsonPropertyDescription(
            "For the engine Memory: upper bound of all revisions that clients saw. A store whose "
                + "volume is lost continues above this bound, so that no revision is used twice.")
        Long revisionFloor,
    @JsonPropertyDescription(
            "Newest revision. For the engine Memory, this and the next seven values are updated "
                + "at most every five minutes, and not while only Leases, nodes and Events are "
                + "written.")
        Long revision,
    @JsonPropertyDescription(
            "For the engine Memory: newest revision that the store's files have. The next pod must"
                + " find this revision. Writes of keys that the store keeps in memory only do not"
                + " count.")
        Long durableRevision,
    @JsonPropertyDescription("Oldest revision that clients can read.") Long compactedRevision,
    @JsonPropertyDescription("Number of existing keys.") Long keys,
    @JsonPropertyDescription("Bytes of all kept versions.") Long bytes,
    @JsonPropertyDescription(
            "Largest number of bytes of versions that memory, quota and volume allow.")
        Long quota,
    @JsonPropertyDescription(
            "For the engine Memory: bytes of memory that one kube-apiserver needs for the store's"
                + " objects, as the store estimates.")
        Long load,
    @JsonPropertyDescription("Largest number of these bytes, if spec.memory.loadQuota sets one.")
        Long loadQuota,
    @JsonPropertyDescription("Number of watches that clients have open.") Long watchers,
    @JsonPropertyDescription("RFC 3339 time at which the process started.") String startTime,
    @JsonPropertyDescription("Time and cause of the last restart, and the data found after it.")
        StoreRestart lastRestart,
    @JsonPropertyDescription("The last spec.restartedAt that was applied.") String restartedAt,
    @Size(max = 32)
        @JsonPropertyDescription(
            "Size of the volume, once a larger one was asked for. A spec.storage.size that the"
                + " volume cannot have can be set back to this size.")
        String volumeSize,
    @Size(max = 63)
        @JsonPropertyDescription(
            "The bundle of flags, images and templates that the pods are made of.")
        String bundle,
    @JsonPropertyDescription("Conditions, each with a reason, a message and the next action.")
        List<Condition> conditions,
    @JsonPropertyDescription("Restarts of the store.") RestartStatus restart) {

  /** One of a store that never restarted. */
  public StoreShardStatus(
      Long observedGeneration,
      String endpoint,
      ServiceAddresses service,
      String dataId,
      Integer dataLosses,
      StoreDataLoss dataLoss,
      Long revisionFloor,
      Long revision,
      Long durableRevision,
      Long compactedRevision,
      Long keys,
      Long bytes,
      Long quota,
      Long watchers,
      String startTime,
      StoreRestart lastRestart,
      String restartedAt,
      String volumeSize,
      String bundle,
      List<Condition> conditions) {
    this(
        observedGeneration,
        endpoint,
        service,
        dataId,
        dataLosses,
        dataLoss,
        revisionFloor,
        revision,
        durableRevision,
        compactedRevision,
        keys,
        bytes,
        quota,
        null,
        null,
        watchers,
        startTime,
        lastRestart,
        restartedAt,
        volumeSize,
        bundle,
        conditions,
        null);
  }

  /**
   * The same with other conditions.
   *
   * @param before null for a store of which nothing is told yet
   */
  public static StoreShardStatus of(StoreShardStatus before, List<Condition> conditions) {
    return before == null
        ? new StoreShardStatus(
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            conditions)
        : new StoreShardStatus(
            before.observedGeneration,
            before.endpoint,
            before.service,
            before.dataId,
            before.dataLosses,
            before.dataLoss,
            before.revisionFloor,
            before.revision,
            before.durableRevision,
            before.compactedRevision,
            before.keys,
            before.bytes,
            before.quota,
            before.load,
            before.loadQuota,
            before.watchers,
            before.startTime,
            before.lastRestart,
            before.restartedAt,
            before.volumeSize,
            before.bundle,
            conditions,
            before.restart);
  }

  /** The same with what is known of restarts; null for nothing. */
  public StoreShardStatus withRestart(RestartStatus known) {
    return new StoreShardStatus(
        observedGeneration,
        endpoint,
        service,
        dataId,
        dataLosses,
        dataLoss,
        revisionFloor,
        revision,
        durableRevision,
        compactedRevision,
        keys,
        bytes,
        quota,
        load,
        loadQuota,
        watchers,
        startTime,
        lastRestart,
        restartedAt,
        volumeSize,
        bundle,
        conditions,
        known);
  }
}
