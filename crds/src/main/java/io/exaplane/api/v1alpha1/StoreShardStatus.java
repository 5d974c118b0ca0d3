// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** What is known of a store. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StoreShardStatus(
    @JsonPropertyDescription("Generation of the spec that this status speaks of.")
        Long observedGeneration,
    @JsonPropertyDescription("URL at which the store serves etcd v3.") String endpoint,
    @JsonPropertyDescription("The addresses of the store's Service.") ServiceAddresses service,
    @JsonPropertyDescription(
            "Identity of the data: an id that the volume carries. Of a store of an older operator's, and of a"
                + " BestEffort one, that of the volume. Another one means that the store started anew.")
        String dataId,
    @JsonPropertyDescription("Times that the store started empty after it had held data.")
        Integer dataLosses,
    @JsonPropertyDescription("Data that the store had and does not find.") StoreDataLoss dataLoss,
    @JsonPropertyDescription(
            "Of the engine Memory: no revision above it was shown, and a store whose volume is lost goes on"
                + " above it, so that none is used twice.")
        Long revisionFloor,
    @JsonPropertyDescription(
            "The newest revision; of the engine Memory, taken every five minutes as the next four.")
        Long revision,
    @JsonPropertyDescription("Below it nothing can be asked for.") Long compactedRevision,
    @JsonPropertyDescription("Keys that exist.") Long keys,
    @JsonPropertyDescription("Bytes of all versions that are kept.") Long bytes,
    @JsonPropertyDescription(
            "Bytes of versions that it takes: what its memory, quota and volume allow.")
        Long quota,
    @JsonPropertyDescription("Watches.") Long watchers,
    @JsonPropertyDescription("Since when it runs.") String startTime,
    @JsonPropertyDescription("How it came back the last time.") StoreRestart lastRestart,
    @JsonPropertyDescription("The spec.restartedAt that was carried out last.") String restartedAt,
    @JsonPropertyDescription("Conditions.") List<Condition> conditions) {}
