// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** How a store came back. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StoreRestart(
    @JsonPropertyDescription("RFC 3339 time of the restart.") String time,
    @JsonPropertyDescription(
            "Cause of the restart: the end of the container, for example OOMKilled or Error, or"
                + " PodReplaced.")
        String reason,
    @JsonPropertyDescription(
            "Data after the restart. Replayed: all data that clients ever saw. Partial: writes "
                + "with a weaker durability than Fsync may be missing. Empty: no data.")
        StoreRecovered recovered) {}
