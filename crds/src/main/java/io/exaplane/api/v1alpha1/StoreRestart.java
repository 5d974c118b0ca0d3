// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** How a store came back. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StoreRestart(
    @JsonPropertyDescription("When it started again.") String time,
    @JsonPropertyDescription("Why: how its container ended, as OOMKilled or Error, or PodReplaced.")
        String reason,
    @JsonPropertyDescription(
            "What it found: Replayed, all that was ever shown; Partial, what was kept, writes of a"
                + " weaker durability than Fsync may be missing; Empty, nothing.")
        StoreRecovered recovered) {}
