// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A DaemonSet of a hosted cluster. */
public record NodeAgentRef(
    @Required
        @Size(max = 63)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        @JsonPropertyDescription("Namespace in the hosted cluster, for example kube-system.")
        String namespace,
    @Required
        @Size(max = 253)
        @Pattern("^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$")
        @JsonPropertyDescription("Name of the DaemonSet, for example cilium.")
        String name) {
  /** As kube-system/cilium. */
  public String text() {
    return namespace + "/" + name;
  }
}
