// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** What a client without a cache asks before its first request. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ColdDiscoveryStatus(
    @JsonPropertyDescription(
            "Versions of kubectl and client-go, for example 'kubectl 1.30 and later' or 'client-go"
                + " before 0.30, 5 requests a second'.")
        String client,
    @JsonPropertyDescription("Number of requests that the client sends.") Integer requests,
    @JsonPropertyDescription(
            "Milliseconds until the client can send its first request; rounded to 100.")
        Long milliseconds) {}
