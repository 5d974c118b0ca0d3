// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.List;

/** The addresses of a Service, for which the operator asks again when the Service is lost. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ServiceAddresses(
    @Required @JsonPropertyDescription("Name of the Service.") String name,
    @JsonPropertyDescription("Its cluster IPs, one a family.") List<String> clusterIPs,
    @JsonPropertyDescription("Its node port, if the Service has one.") Integer nodePort,
    @JsonPropertyDescription("IP address of its load balancer, if the Service has one.")
        String loadBalancerIP) {}
