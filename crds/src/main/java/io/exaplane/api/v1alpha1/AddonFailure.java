// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** An object or a file of an add-on that is not in the hosted cluster as the source says. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AddonFailure(
    @JsonPropertyDescription(
            "The object, for example Deployment.apps kube-system/coredns; absent for a file.")
        String object,
    @JsonPropertyDescription("The file of the source: a key, or inline.yaml.") String file,
    @JsonPropertyDescription("Line of the file, from 1; absent for the whole file.") Integer line,
    @JsonPropertyDescription("Message of the API server, or of the reader of the file.")
        String message) {}
