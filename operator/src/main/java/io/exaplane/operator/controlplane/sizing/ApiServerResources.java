// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ApiServerSpec;
import io.exaplane.api.v1alpha1.ApiServerTuning;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pod.ContainerLimits;
import io.exaplane.operator.pod.ContainerRequests;
import io.exaplane.operator.pod.NodeCapacity;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.rules.Item.Type;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Collection;
import java.util.List;
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
 * @param grown the limit that is larger than the model's since a smaller one was too small
 * @param shortage what is to be said of one whose limit is too small
 */
public record ApiServerResources(
    Optional<ResourceRequirements> container,
    Map<String, String> environment,
    Optional<String> problem,
    Optional<Quantity> grown,
    Optional<Problem> shortage) {
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
   * @param growth what is known of memory that did not do
   * @param nodes what the nodes of the management cluster give; asked only when it matters
   */
  public static ApiServerResources of(
      Tuned tuned,
      ControlPlaneSpec spec,
      Optional<Running> running,
      MemoryGrowth growth,
      Supplier<Collection<NodeCapacity>> nodes) {
    ResourceRequirements asked = ApiServerSpec.resources(spec.apiServer());
    Quantity model =
        ContainerRequests.quantity(
            tuned.value(Component.KUBE_APISERVER, Type.RESOURCE, "limits.memory"));
    if (ContainerMemory.named(asked).isPresent()) {
      Optional<Long> limit = ClusterShape.memoryLimitBytes(spec);
      return new ApiServerResources(
          Optional.of(ContainerLimits.roomy(asked, model)),
          limit.map(bytes -> environment(tuned, spec, bytes)).orElse(Map.of()),
          Optional.empty(),
          growth.grown(),
          growth.ofNamed());
    }
    List<ApiServerResources> all =
        growth.limits(model).stream()
            .map(memory -> with(tuned, spec, memory, model, running, growth, nodes))
            .toList();
    return all.stream()
        .filter(resources -> resources.problem().isEmpty())
        .findFirst()
        .orElse(all.getFirst());
  }

  /** With a memory limit, if there is a node that carries it. */
  private static ApiServerResources with(
      Tuned tuned,
      ControlPlaneSpec spec,
      Quantity memory,
      Quantity model,
      Optional<Running> running,
      MemoryGrowth growth,
      Supplier<Collection<NodeCapacity>> nodes) {
    ResourceRequirements asked = ApiServerSpec.resources(spec.apiServer());
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
    boolean applied = requests.problem().isEmpty();
    boolean isGrown = !memory.equals(model);
    long bytes = memory.getNumericalAmount().longValue();
    return new ApiServerResources(
        requests.container().or(() -> Optional.ofNullable(asked)),
        !applied
            ? kept.map(Running::collector).orElse(Map.of())
            : isGrown ? grown(spec, bytes) : environment(tuned, spec, bytes),
        requests.problem(),
        isGrown && applied ? Optional.of(memory) : growth.grown(),
        growth.ofLimit(memory, applied));
  }

  /** Of one whose live heap the model does not know: it takes no more than twice that. */
  private static Map<String, String> grown(ControlPlaneSpec spec, long bytes) {
    ApiServerTuning own = ApiServerTuning.of(spec.apiServer());
    return Map.of(
        "GOGC",
        own.goGC() == null ? "100" : own.goGC().toString(),
        "GOMEMLIMIT",
        softLimit(
            own.goMemLimitPercent() == null ? SOFT_LIMIT_PERCENT : own.goMemLimitPercent(), bytes));
  }

  private static String softLimit(int percent, long bytes) {
    return (long) (percent / 100.0 * bytes / Bytes.MIB) + "MiB";
  }

  /** Whether it has the limit that it grew to, and not one that is larger by now. */
  boolean hasGrown() {
    return grown.isPresent()
        && container
            .map(ResourceRequirements::getLimits)
            .filter(limits -> grown.get().equals(limits.get("memory")))
            .isPresent();
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
            : softLimit(own.goMemLimitPercent(), bytes));
    return environment;
  }
}
