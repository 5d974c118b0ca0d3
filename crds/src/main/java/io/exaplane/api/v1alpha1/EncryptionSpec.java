// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** Which objects kube-apiservers encrypt before they reach a store. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "!has(self.resources) || self.resources.all(r, self.resources.exists_one(s, s == r))",
    message = "encryption.resources: contains a resource twice; keep one")
@ValidationRule(
    value =
        "!has(self.resources) || !self.resources.exists(r, r in"
            + " ['events','leases.coordination.k8s.io','apiserveripinfo','serviceipallocations',"
            + "'servicenodeportallocations'] || r.endsWith('.events.k8s.io') ||"
            + " r.endsWith('.extensions'))",
    message =
        "encryption.resources: must not contain events, leases.coordination.k8s.io or a resource that"
            + " the API does not serve, since encryption would cost time at each write and protect"
            + " no secret; remove the resource")
public record EncryptionSpec(
    @Size(min = 1, max = 16)
        @JsonPropertyDescription(
            "The resources whose objects are encrypted, each by its plural name, and its API group"
                + " unless that is the core group: for example secrets, or widgets.example.com."
                + " Resources of aggregated APIs are not encrypted. Default: secrets.")
        List<
                @Size(max = 253) @Pattern("^[a-z][a-z0-9-]*(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
                String>
            resources) {
  private static final List<String> DEFAULT = List.of("secrets");

  /** The resources, with the default filled in; none if nothing is encrypted. */
  public static List<String> resources(EncryptionSpec spec) {
    return spec == null
        ? List.of()
        : spec.resources == null ? DEFAULT : List.copyOf(spec.resources);
  }
}
