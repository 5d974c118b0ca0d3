// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;

/** How kube-controller-manager runs. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!has(self.extraArgs) || self.extraArgs.all(a, !(a.name in ["
            + ManagedArguments.CONTROLLER_MANAGER
            + "]))",
    message =
        "controllerManager.extraArgs: contains a flag that Exaplane sets; remove the flag, and "
            + "use the ControlPlane's field for it if there is one")
@ValidationRule(
    value =
        "!has(self.extraArgs) || self.extraArgs.all(a, self.extraArgs.exists_one(b, b.name =="
            + " a.name))",
    message = "controllerManager.extraArgs: contains a flag twice; keep one")
public record ControllerManagerSpec(
    @Default("2")
        @Min(1)
        @Max(16)
        @JsonPropertyDescription(
            "Number of kube-controller-managers. One leads, and the others stand by."
                + " Default: 2.")
        Integer replicas,
    @JsonPropertyDescription(
            "Requests and limits of each container, as in a pod. Default: the tuning model's "
                + "memory as a request, if a node is large enough.")
        ResourceRequirements resources,
    @Size(max = 64)
        @JsonPropertyDescription(
            "Additional flags. A flag that Exaplane sets itself is refused, never dropped.")
        List<ExtraArg> extraArgs) {

  private static final int DEFAULT_REPLICAS = 2;

  /** The number of replicas, with the default filled in. */
  public static int replicas(ControllerManagerSpec spec) {
    return spec == null || spec.replicas == null ? DEFAULT_REPLICAS : spec.replicas;
  }

  /** The further flags; empty without any. */
  public static List<ExtraArg> extraArgs(ControllerManagerSpec spec) {
    return spec == null || spec.extraArgs == null ? List.of() : spec.extraArgs;
  }

  /** The container's resources as asked for, or null. */
  public static ResourceRequirements resources(ControllerManagerSpec spec) {
    return spec == null ? null : spec.resources;
  }
}
