// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ApiServerSpec;
import io.exaplane.api.v1alpha1.ApiServerTuning;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.rules.Item.Type;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.Collection;
import java.util.Comparator;
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
   * @param running what the container has now: the model's once applied stay while the size does,
   *     whatever becomes of the nodes, since a change restarts every kube-apiserver; and they stay
   *     when a larger size wants what no node carries
   * @param nodes what the nodes of the management cluster give; asked only when it matters
   */
  public static ApiServerResources of(
      Tuned tuned,
      ControlPlaneSpec spec,
      Optional<Running> running,
      Supplier<Collection<NodeCapacity>> nodes) {
    ResourceRequirements asked = ApiServerSpec.resources(spec.apiServer());
    if (asked != null) {
      Optional<Long> limit = ClusterShape.memoryLimitBytes(spec);
      return new ApiServerResources(
          Optional.of(asked),
          limit.map(bytes -> environment(tuned, spec, bytes)).orElse(Map.of()),
          Optional.empty());
    }
    Quantity memory = canonical(tuned.apiServer(Type.RESOURCE, "limits.memory"));
    Quantity cpu = new Quantity(tuned.apiServer(Type.RESOURCE, "requests.cpu"));
    ResourceRequirements wanted =
        new ResourceRequirementsBuilder()
            .addToRequests("cpu", cpu)
            .addToRequests("memory", memory)
            .addToLimits("memory", memory)
            .build();
    long bytes = memory.getNumericalAmount().longValue();
    double cores = cpu.getNumericalAmount().doubleValue();
    if (running.map(Running::resources).filter(wanted::equals).isEmpty()) {
      Optional<String> problem = problem(cores, bytes, nodes.get());
      if (problem.isPresent()) {
        Optional<Running> kept = running.filter(Running::isLimited);
        return new ApiServerResources(
            kept.map(Running::resources),
            kept.map(Running::collector).orElse(Map.of()),
            Optional.of(
                problem.get()
                    + (kept.isPresent()
                        ? ": it keeps what it has"
                        : ": it runs without requests and limits, GOGC and GOMEMLIMIT")
                    + " until there is one that carries it"));
      }
    }
    return new ApiServerResources(
        Optional.of(wanted), environment(tuned, spec, bytes), Optional.empty());
  }

  /** As the API server writes it: 7Gi and not 7168Mi, so that both compare as equal. */
  private static Quantity canonical(String mebibytes) {
    long number = Long.parseLong(mebibytes.substring(0, mebibytes.length() - "Mi".length()));
    return new Quantity(number % 1024 == 0 ? number / 1024 + "Gi" : mebibytes);
  }

  private static Optional<String> problem(
      double cores, long bytes, Collection<NodeCapacity> nodes) {
    if (nodes.stream().anyMatch(node -> node.carries(cores, bytes))) {
      return Optional.empty();
    }
    String largest =
        nodes.stream()
            .max(Comparator.comparingLong(NodeCapacity::memoryBytes))
            .map(
                node ->
                    "the largest node gives %s and %s cores"
                        .formatted(Bytes.text(node.memoryBytes()), Numbers.text(node.cores())))
            .orElse("there is no node");
    return Optional.of(
        "each kube-apiserver wants %s and %s cores, and %s"
            .formatted(Bytes.text(bytes), Numbers.text(cores), largest));
  }

  private static Map<String, String> environment(Tuned tuned, ControlPlaneSpec spec, long bytes) {
    ApiServerTuning own = ApiServerTuning.of(spec.apiServer());
    Map<String, String> environment = new TreeMap<>();
    environment.put(
        "GOGC", own.goGC() == null ? tuned.apiServer(Type.ENV, "GOGC") : own.goGC().toString());
    environment.put(
        "GOMEMLIMIT",
        own.goMemLimitPercent() == null
            ? tuned.apiServer(Type.ENV, "GOMEMLIMIT")
            : (long) (own.goMemLimitPercent() / 100.0 * bytes / Bytes.MIB) + "MiB");
    return environment;
  }
}
