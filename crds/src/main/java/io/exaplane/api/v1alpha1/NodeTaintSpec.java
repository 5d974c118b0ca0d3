// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A taint that a node registers with. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeTaintSpec(
    @Required
        @Size(min = 1, max = 253)
        @Pattern(
            "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$")
        @JsonPropertyDescription("Key of the taint, for example example.com/dedicated.")
        String key,
    @Size(max = 63)
        @Pattern("^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$")
        @JsonPropertyDescription("Value of the taint. Default: empty.")
        String value,
    @Required
        @JsonPropertyDescription(
            "Effect on pods that do not tolerate the taint. NoSchedule: no such pod is"
                + " placed on the node. PreferNoSchedule: such a pod is placed there if no other"
                + " node fits. NoExecute: running pods are evicted, too.")
        TaintEffect effect) {

  /** As the kubelet's flags and kubectl write it: key=value:Effect. */
  public String text() {
    return key + "=" + (value == null ? "" : value) + ":" + effect;
  }
}
