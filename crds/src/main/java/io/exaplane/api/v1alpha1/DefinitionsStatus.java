// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** The CustomResourceDefinitions of a hosted cluster, and what they cost. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DefinitionsStatus(
    @JsonPropertyDescription("Number of CustomResourceDefinitions in the hosted cluster.")
        Integer count,
    @JsonPropertyDescription(
            "Number of GroupVersions that the API serves. A client without aggregated discovery"
                + " sends a request for each.")
        Integer groupVersions,
    @JsonPropertyDescription(
            "Live heap of each kube-apiserver that the model expects for these definitions, for"
                + " example 156Mi. The model takes the fields and versions of spec.sizing.")
        String expectedHeap,
    @JsonPropertyDescription(
            "Live heap of the kube-apiserver with the largest one, for example 410Mi: definitions"
                + " and all else. The operator reads it each minute, and writes changes of more"
                + " than a quarter.")
        String liveHeap,
    @Size(max = 4)
        @JsonPropertyDescription(
            "Requests and time that a client without a cache needs before its first request, by its"
                + " version. The model expects them on a machine and network that are not busy.")
        List<ColdDiscoveryStatus> coldDiscovery) {}
