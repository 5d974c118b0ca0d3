// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ApiServerSpec;
import io.exaplane.api.v1alpha1.ApiServerTuning;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.rules.Item.Type;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Memory and cores of kube-apiserver: the user's, else the model's when there is a node that
 * carries them, else none that would keep its pods pending for ever. Immutable.
 *
 * @param container what the container asks for; nothing when the model's do not fit
 * @param environment GOGC and GOMEMLIMIT, both or neither: without a memory limit they have nothing
 *     to go by
 * @param problem why the model's requests are not applied
 */
public record ApiServerResources(
    Optional<ResourceRequirements> container,
    Map<String, String> environment,
    Optional<String> problem) {
  /** What a container of kube-apiserver has now. */
  public record Running(ResourceRequirements resources, Map<String, String> collector) {
    private static final Set<String> COLLECTOR = Set.of("GOGC", "GOMEMLIMIT");

    /** Of a container. */
    public static Running of(Container container) {
      Map<String, String> collector = new TreeMap<>();
      container.getEnv().stream()
          .filter(variable -> COLLECTOR.contains(variable.getName()))
          .forEach(variable -> collector.put(variable.getName(), variable.getValue()));
      return new Running(container.getResources(), collector);
    }

    boolean isLimited() {
      return resources != null
          && resources.getLimits() != null
          && resources.getLimits().containsKey("memory");
    }
  }

  /** GOMEMLIMIT as the model has it, percent of the limit. */
  static final int SOFT_LIMIT_PERCENT = 85;

  /**
   * Chooses them.
   *
   * @param running what the container has now
   * @param nodes what the nodes of the management cluster give; asked only when it matters
   */
  public static ApiServerResources of(
      Tuned tuned,
      ControlPlaneSpec spec,
      Optional<Running> running,
      Supplier<Collection<NodeCapacity>> nodes) {
    ResourceRequirements asked = ApiServerSpec.resources(spec.apiServer());
    if (ContainerMemory.named(asked).isPresent()) {
      Optional<Long> limit = ClusterShape.memoryLimitBytes(spec);
      return new ApiServerResources(
          Optional.of(asked),
          limit.map(bytes -> environment(tuned, spec, bytes)).orElse(Map.of()),
          Optional.empty());
    }
    String limit = tuned.value(Component.KUBE_APISERVER, Type.RESOURCE, "limits.memory");
    Quantity memory = ContainerRequests.quantity(limit);
    ResourceRequirements wanted =
        ContainerMemory.limited(memory)
            .with(
                asked,
                new Quantity(tuned.value(Component.KUBE_APISERVER, Type.RESOURCE, "requests.cpu")));
    Optional<Running> kept = running.filter(Running::isLimited);
    ContainerRequests requests =
        ContainerRequests.of(
            "each kube-apiserver",
            "spec.apiServer.resources",
            wanted,
            kept.map(Running::resources),
            nodes);
    return new ApiServerResources(
        requests.container().or(() -> Optional.ofNullable(asked)),
        requests.problem().isEmpty()
            ? environment(tuned, spec, memory.getNumericalAmount().longValue())
            : kept.map(Running::collector).orElse(Map.of()),
        requests.problem());
  }

  private static Map<String, String> environment(Tuned tuned, ControlPlaneSpec spec, long bytes) {
    ApiServerTuning own = ApiServerTuning.of(spec.apiServer());
    Map<String, String> environment = new TreeMap<>();
    environment.put(
        "GOGC",
        own.goGC() == null
            ? tuned.value(Component.KUBE_APISERVER, Type.ENV, "GOGC")
            : own.goGC().toString());
    environment.put(
        "GOMEMLIMIT",
        own.goMemLimitPercent() == null
            ? tuned.value(Component.KUBE_APISERVER, Type.ENV, "GOMEMLIMIT")
            : (long) (own.goMemLimitPercent() / 100.0 * bytes / Bytes.MIB) + "MiB");
    return environment;
  }
}
