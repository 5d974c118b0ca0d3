// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** Fields of some objects that others set. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!self.jsonPointers.exists(p, p in ['/apiVersion', '/kind', '/metadata', '/metadata/name',"
            + " '/metadata/namespace'])",
    message =
        "ignoreDifferences: jsonPointers must not name apiVersion, kind, metadata, or the object's name"
            + " and namespace, without which it is no object; name a field such as /spec/replicas")
public record AddonIgnoreRule(
    @Size(max = 253)
        @Pattern("^[-a-z0-9.*]*$")
        @JsonPropertyDescription(
            "API group of the objects, for example apps; the core group is empty. In all patterns, * stands for"
                + " any characters. Default: *.")
        String group,
    @Required
        @Size(min = 1, max = 63)
        @Pattern("^[A-Za-z0-9*]+$")
        @JsonPropertyDescription("Kind of the objects, for example Deployment or *.")
        String kind,
    @Size(max = 253)
        @JsonPropertyDescription(
            "Namespace of the objects, for example team-*. Objects without a namespace in their file are in"
                + " default. Default: *.")
        String namespace,
    @Size(max = 253) @JsonPropertyDescription("Name of the objects, for example web-*. Default: *.")
        String name,
    @Required
        @Size(min = 1, max = 8)
        @JsonPropertyDescription(
            "Fields as JSON pointers (RFC 6901). A slash in a name is written as ~1, and * stands for"
                + " each item of a list. For example [/spec/replicas,"
                + " /webhooks/*/clientConfig/caBundle].")
        List<@Size(max = 200) @Pattern("^(/[^/]*)+$") String> jsonPointers) {}
