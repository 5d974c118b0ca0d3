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
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import java.util.List;

/** How kube-apiserver runs. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!has(self.extraArgs) || self.extraArgs.all(a, !(a.name in ["
            + ManagedArguments.API_SERVER
            + "]))",
    message =
        "apiServer.extraArgs: contains a flag that Exaplane sets; remove the flag, and use the "
            + "ControlPlane's field for it if there is one")
@ValidationRule(
    value =
        "!has(self.tuning) || !has(self.tuning.goawayChance) || double(self.tuning.goawayChance) <="
            + " 0.02 && (self.replicas > 1 || double(self.tuning.goawayChance) == 0.0)",
    message =
        "apiServer.tuning.goawayChance: must be at most 0.02, and 0 with a single replica; "
            + "lower the value or add replicas")
@ValidationRule(
    value =
        "!has(self.extraArgs) || self.extraArgs.all(a, self.extraArgs.exists_one(b, b.name =="
            + " a.name))",
    message = "apiServer.extraArgs: contains a flag twice; keep one")
public record ApiServerSpec(
    @SpecReplicas
        @Default("2")
        @Min(1)
        @Max(16)
        @JsonPropertyDescription(
            "Number of kube-apiservers. One at a time is replaced, so that two or more"
                + " serve without a break. Default: 2.")
        Integer replicas,
    @JsonPropertyDescription(
            "Requests and limits of each container, as in a pod. Default: the tuning model's "
                + "values, if a node is large enough.")
        ResourceRequirements resources,
    @JsonPropertyDescription("Values that override the tuning model's.") ApiServerTuning tuning,
    @Size(max = 64)
        @JsonPropertyDescription(
            "Additional flags. A flag that Exaplane sets itself is refused, never dropped.")
        List<ExtraArg> extraArgs) {

  private static final int DEFAULT_REPLICAS = 2;

  /** The number of replicas, with the default filled in. */
  public static int replicas(ApiServerSpec spec) {
    return spec == null || spec.replicas == null ? DEFAULT_REPLICAS : spec.replicas;
  }

  /** The same with so many replicas. */
  public static ApiServerSpec with(ApiServerSpec spec, int replicas) {
    return spec == null
        ? new ApiServerSpec(replicas, null, null, null)
        : new ApiServerSpec(replicas, spec.resources, spec.tuning, spec.extraArgs);
  }

  /** The further flags; empty without any. */
  public static List<ExtraArg> extraArgs(ApiServerSpec spec) {
    return spec == null || spec.extraArgs == null ? List.of() : spec.extraArgs;
  }

  /** The container's resources as asked for, or null. */
  public static ResourceRequirements resources(ApiServerSpec spec) {
    return spec == null ? null : spec.resources;
  }
}
