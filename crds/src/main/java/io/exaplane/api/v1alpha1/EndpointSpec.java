// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;

/** Where clients and nodes reach the API: a Service of the management cluster. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "!has(self.host) || self.type == 'NodePort'",
    message =
        "endpoint.host: is for type NodePort only, since the other types use the Service's "
            + "address; put more names into certSANs")
@ValidationRule(
    value =
        "!has(self.certSANs) || self.certSANs.all(n, isIP(n) ||"
            + " n.matches('^([*][.])?[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$'))",
    message =
        "endpoint.certSANs: each must be an IP address or a DNS name in lower case; write an"
            + " internationalised name in its ASCII form, xn--…")
@ValidationRule(
    value =
        "(!has(self.loadBalancerClass) && !has(self.sourceRanges)) || self.type == 'LoadBalancer'",
    message =
        "endpoint.loadBalancerClass and endpoint.sourceRanges: are for type LoadBalancer only;"
            + " remove them or change endpoint.type")
@ValidationRule(
    value = "!has(self.nodePort) || self.type == 'NodePort'",
    message = "endpoint.nodePort: is for type NodePort only; remove it or change endpoint.type")
@ValidationRule(
    value = "!has(self.sourceRanges) || self.sourceRanges.all(c, isCIDR(c))",
    message = "endpoint.sourceRanges: each must be a CIDR, for example 2001:db8::/32")
@ValidationRule(
    value =
        "(!has(self.loadBalancerClass) && !has(oldSelf.loadBalancerClass)) || self.type !="
            + " oldSelf.type || (has(self.loadBalancerClass) && has(oldSelf.loadBalancerClass) &&"
            + " self.loadBalancerClass == oldSelf.loadBalancerClass)",
    message =
        "endpoint.loadBalancerClass: is immutable on a Service; change endpoint.type to "
            + "another type and back instead")
public record EndpointSpec(
    @Default("ClusterIP")
        @JsonPropertyDescription(
            "How the Service publishes the API. ClusterIP: inside the management cluster's"
                + " network only. NodePort: at a port of every node of the management cluster."
                + " LoadBalancer: at the address of the provider's load balancer. Default:"
                + " ClusterIP.")
        EndpointType type,
    @Default("6443")
        @Min(1)
        @Max(65535)
        @JsonPropertyDescription(
            "Port of the Service; clients of a NodePort use the node port. Default: 6443.")
        Integer port,
    @Min(1)
        @Max(65535)
        @JsonPropertyDescription(
            "Node port of a NodePort endpoint. Default: the management cluster chooses one.")
        Integer nodePort,
    @Size(max = 253)
        @JsonPropertyDescription(
            "IP address of a NodePort endpoint: a node's address, or the address of a load "
                + "balancer for the nodes. Default: the InternalIP of a Ready node.")
        String host,
    @Size(max = 32)
        @JsonPropertyDescription(
            "Additional DNS names and IP addresses in the apiservers' certificate.")
        List<@Size(min = 1, max = 253) String> certSANs,
    @Size(max = 253)
        @JsonPropertyDescription(
            "The provider's class of the load balancer, for example service.k8s.aws/nlb."
                + " Default: the management cluster's own.")
        String loadBalancerClass,
    @Size(max = 16)
        @JsonPropertyDescription(
            "Source CIDRs that the load balancer accepts, for example [2001:db8:1::/48]."
                + " Default: all.")
        List<@Size(max = 64) String> sourceRanges,
    @JsonPropertyDescription("Annotations of the Service, for the provider's load balancer.")
        Map<String, String> annotations) {

  public static final EndpointSpec DEFAULT =
      new EndpointSpec(EndpointType.ClusterIP, 6443, null, null, List.of(), null, null, Map.of());

  /** The endpoint with defaults for what is not given. */
  public static EndpointSpec of(EndpointSpec endpoint) {
    if (endpoint == null) {
      return DEFAULT;
    }
    return new EndpointSpec(
        endpoint.type == null ? DEFAULT.type : endpoint.type,
        endpoint.port == null ? DEFAULT.port : endpoint.port,
        endpoint.nodePort,
        endpoint.host,
        endpoint.certSANs == null ? List.of() : endpoint.certSANs,
        endpoint.loadBalancerClass,
        endpoint.sourceRanges,
        endpoint.annotations == null ? Map.of() : endpoint.annotations);
  }
}
