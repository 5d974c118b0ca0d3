// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;

/** Where the images of all components come from. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ImagesSpec(
    @Size(max = 253)
        @Pattern("^[A-Za-z0-9.\\[\\]:/_-]+$")
        @JsonPropertyDescription(
            "Registry, with an optional path, that replaces registry.k8s.io and the"
                + " operator's own registry for all images. For example"
                + " registry.example.org/mirror. Default: the operator's settings.")
        String registry,
    @Size(max = 253)
        @JsonPropertyDescription(
            "Secret of type kubernetes.io/dockerconfigjson in the same namespace, used to pull all"
                + " images. The Secret needs the label exaplane.io/pull-secret: \"true\". A Secret"
                + " that pods use already stays in use without the label.")
        String pullSecret) {}
