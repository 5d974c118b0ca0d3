// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;

/** What a user may change of a built-in add-on. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "!has(self.upstreams) || self.upstreams.all(u, isIP(u))",
    message =
        "addons: each of settings.upstreams must be an IP address, for example 2001:db8::53; write the"
            + " addresses of your resolvers")
public record AddonSettings(
    @Size(min = 1, max = 512)
        @Pattern("^[a-zA-Z0-9]([a-zA-Z0-9._/:-]*[a-zA-Z0-9])?(@sha256:[a-f0-9]{64})?$")
        @JsonPropertyDescription(
            "Image instead of the operator's choice, for example registry.example.org/coredns:v1.14.6. A"
                + " kube-proxy must not be newer than the control plane. Default: docs/addons.md"
                + " names the images.")
        String image,
    @Min(1) @Max(1_000) @JsonPropertyDescription("Number of pods of CoreDNS. Default: 2.")
        Integer replicas,
    @JsonPropertyDescription(
            "Requests and limits of the container, as in a pod. Default: for CoreDNS, requests of"
                + " 100m and 70Mi, and a limit of 170Mi; for kube-proxy, requests of 50m and 64Mi.")
        ResourceRequirements resources,
    @Size(min = 1, max = 15)
        @JsonPropertyDescription(
            "IP addresses of the resolvers that CoreDNS asks for names of other domains, for example"
                + " [2001:db8::53]. Default: the resolvers of the node.")
        List<@Size(max = 64) String> upstreams) {}
