// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ApiServerSpec;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pod.ContainerRequests;
import io.exaplane.operator.pod.NodeCapacity;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * A control plane as it is to be made now: of the size that counts, with the stores that were
 * chosen when it was made, and what the model says of it. Immutable.
 *
 * @param controlPlane with that size and those stores in its spec
 * @param missingRoutes resources that the model would give stores of their own, and that have none
 * @param tuned what the model says; not there for a version that it does not know
 * @param template what it says for the number of kube-apiservers that pods are made for; there when
 *     {@code tuned} is
 * @param templateReplicas that number
 * @param apiServer memory and cores of kube-apiserver; there when {@code tuned} is
 * @param controllers what kube-controller-manager and kube-scheduler ask for, by the model or as
 *     the user wrote it
 * @param stores what each takes and would keep; there when {@code tuned} is
 * @param problems what of the model's was not applied, and why
 */
public record Sized(
    EffectiveControlPlane controlPlane,
    Size size,
    List<ResourceRef> missingRoutes,
    Optional<Tuned> tuned,
    Optional<Tuned> template,
    int templateReplicas,
    Optional<ApiServerResources> apiServer,
    Map<Component, ResourceRequirements> controllers,
    List<StoreSpace> stores,
    List<Problem> problems) {

  /**
   * What the cluster shows of what was made before.
   *
   * @param containers of components that there are
   * @param shortage a kube-apiserver whose memory limit is too small
   * @param grownMemory the limit that one was given for that before
   * @param sizedFor how many kube-apiservers the pods were made for that run
   * @param retainedRoutes what claims say of one of this name that was removed
   * @param agents ServiceAccounts of agents that NodePools list
   */
  public record Before(
      Collection<StoreShard> shards,
      Map<Component, Container> containers,
      Optional<MemoryShortage> shortage,
      Optional<Quantity> grownMemory,
      Optional<Integer> sizedFor,
      Supplier<Collection<NodeCapacity>> nodes,
      Supplier<Optional<String>> retainedRoutes,
      List<String> agents) {

    /** Of one without agents whose kube-apiservers were made for as many as it has. */
    public Before(
        Collection<StoreShard> shards,
        Map<Component, Container> containers,
        Optional<MemoryShortage> shortage,
        Optional<Quantity> grownMemory,
        Supplier<Collection<NodeCapacity>> nodes,
        Supplier<Optional<String>> retainedRoutes) {
      this(
          shards,
          containers,
          shortage,
          grownMemory,
          Optional.empty(),
          nodes,
          retainedRoutes,
          List.of());
    }
  }

  /** Sizes a control plane by a model that nobody asked before. */
  public static Sized of(
      ControlPlane controlPlane, boolean valid, boolean hold, Before before, Instant now) {
    return of(controlPlane, valid, hold, before, now, new Model());
  }

  /**
   * Sizes a control plane.
   *
   * @param valid whether the spec can be carried out; one that can't has no answer from the model
   * @param hold whether nothing may be changed just now
   * @param model that of the pass
   */
  public static Sized of(
      ControlPlane controlPlane,
      boolean valid,
      boolean hold,
      Before before,
      Instant now,
      Model model) {
    Size size =
        Size.of(controlPlane, before.containers().containsKey(Component.KUBE_APISERVER), hold, now);
    ControlPlaneSpec asked = controlPlane.getSpec();
    ControlPlaneSpec sizedSpec =
        AgentAccounts.among(asked.with(size.maxNodes(), asked.storage()), before.agents());
    // Stores are chosen by what there is to carry; what they take is then an input of the model.
    Optional<Estimate> estimate =
        valid
            ? Optional.of(Tuned.of(sizedSpec, asked.version(), OptionalDouble.empty(), model))
                .map(Tuned::tuning)
                .map(Tuning::estimate)
            : Optional.empty();
    List<ResourceRef> routed = estimate.map(StorePlan::routed).orElse(List.of());
    StorageSpec storage =
        StorePlan.of(controlPlane, before.shards(), routed, before.retainedRoutes());
    StoreMemory stores = new StoreMemory(controlPlane, storage, estimate, before);
    OptionalDouble smallest =
        estimate.map(expected -> smallest(stores.spaces(expected))).orElse(OptionalDouble.empty());
    Optional<Tuned> tuned =
        estimate.map(_ -> Tuned.of(sizedSpec, asked.version(), smallest, model));
    // What stores would keep follows from what is done about those that are too small.
    List<StoreSpace> spaces =
        tuned.map(all -> stores.spaces(all.tuning().estimate())).orElse(List.of());
    int replicas = TemplateReplicas.of(sizedSpec, before.sizedFor());
    Optional<Tuned> template =
        replicas == ApiServerSpec.replicas(asked.apiServer())
            ? tuned
            : tuned.map(
                _ ->
                    Tuned.of(sizedSpec.withApiServers(replicas), asked.version(), smallest, model));
    List<Problem> problems = new ArrayList<>();
    Optional<ApiServerResources> apiServer =
        template.map(all -> apiServer(all, asked, before, stores.loadedBytes()));
    apiServer
        .flatMap(ApiServerResources::problem)
        .ifPresent(problem -> problems.add(new Problem(Reason.LargerThanAnyNode, problem)));
    Map<Component, ResourceRequirements> controllers = new EnumMap<>(Component.class);
    if (tuned.isPresent()) {
      for (Component component : ControllerRequests.CONTROLLERS) {
        ContainerRequests requests =
            ControllerRequests.of(template.get(), asked, component, before);
        requests.container().ifPresent(container -> controllers.put(component, container));
        requests
            .problem()
            .ifPresent(problem -> problems.add(new Problem(Reason.LargerThanAnyNode, problem)));
      }
    }
    spaces.stream()
        .filter(StoreSpace::isTooSmall)
        .forEach(space -> problems.add(new Problem(Reason.LimitsExceeded, space.toString())));
    stores
        .problem(spaces)
        .or(() -> estimate.flatMap(stores::problemOfOld))
        .ifPresent(problems::add);
    tuned
        .map(all -> stores.tooSmallLoads(all.tuning().estimate(), spaces))
        .ifPresent(problems::addAll);
    return new Sized(
        new EffectiveControlPlane(
            controlPlane,
            asked.with(size.maxNodes(), stores.storage()),
            estimate.map(stores::next).orElse(Map.of())),
        size,
        StorePlan.missing(storage, routed),
        tuned,
        template,
        replicas,
        apiServer,
        Map.copyOf(controllers),
        spaces,
        List.copyOf(problems));
  }

  /** Bytes that the smallest store takes that has too little; nothing when all have enough. */
  private static OptionalDouble smallest(List<StoreSpace> spaces) {
    return spaces.stream()
        .filter(StoreSpace::isTooSmall)
        .mapToDouble(space -> space.takes().orElseThrow())
        .min();
  }

  private static ApiServerResources apiServer(
      Tuned tuned, ControlPlaneSpec asked, Before before, double storedBytes) {
    Optional<Container> container =
        Optional.ofNullable(before.containers().get(Component.KUBE_APISERVER));
    return ApiServerResources.of(
        tuned,
        asked,
        container.map(ApiServerResources.Running::of),
        new MemoryGrowth(
            // Pods of one that was removed tell nothing of this one.
            before.shortage().filter(_ -> container.isPresent()),
            before.grownMemory(),
            storedBytes,
            tuned.tuning().estimate().memoryToLoad(storedBytes)),
        before.nodes());
  }
}
