// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A service account of a hosted cluster. */
public record AddonAccountRef(
    @Required
        @Size(max = 63)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        @JsonPropertyDescription("Namespace in the hosted cluster, for example team-a.")
        String namespace,
    @Required
        @Size(max = 253)
        @Pattern("^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$")
        @JsonPropertyDescription("Name of the ServiceAccount, for example deployer.")
        String name) {
  /** As Kubernetes names the user, {@code system:serviceaccount:team-a:deployer}. */
  public String user() {
    return "system:serviceaccount:" + namespace + ":" + name;
  }
}
