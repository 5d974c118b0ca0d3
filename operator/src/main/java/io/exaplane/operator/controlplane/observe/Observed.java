// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.api.v1alpha1.ServiceAddresses;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.render.Inputs;
import io.exaplane.operator.controlplane.sizing.EffectiveControlPlane;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.storeshard.status.ShardStates;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.List;
import java.util.Optional;

/**
 * What one reconciliation found before it changed anything: everything that the desired objects and
 * the status are made from. Immutable.
 *
 * @param sized the control plane as it is to be made now
 * @param shards the StoreShards in the order of the spec; a store without one yet is left out
 * @param service the addresses of the API's Service, once it has one
 * @param endpoint where clients reach the API, once known
 * @param endpointProblem why it is not known, or what was lost with the one before
 * @param completeInputs what the components are made from; only there when complete
 * @param pods of the components
 * @param scheduling who places pods
 * @param orders what running tasks ask for
 * @param routes the Services of single resources
 */
public record Observed(
    Sized sized,
    List<StoreShard> shards,
    Optional<ServiceAddresses> service,
    Optional<Endpoint> endpoint,
    Optional<Problem> endpointProblem,
    PkiResult pki,
    Optional<Inputs> completeInputs,
    List<Deployment> deployments,
    List<Pod> pods,
    Scheduling scheduling,
    TaskOrders orders,
    RoutesSeen routes) {

  private static final String KEY = Observed.class.getName();

  /** Without Services of single resources. */
  public Observed(
      Sized sized,
      List<StoreShard> shards,
      Optional<ServiceAddresses> service,
      Optional<Endpoint> endpoint,
      Optional<Problem> endpointProblem,
      PkiResult pki,
      Optional<Inputs> completeInputs,
      List<Deployment> deployments,
      List<Pod> pods,
      Scheduling scheduling,
      TaskOrders orders) {
    this(
        sized,
        shards,
        service,
        endpoint,
        endpointProblem,
        pki,
        completeInputs,
        deployments,
        pods,
        scheduling,
        orders,
        RoutesSeen.NONE);
  }

  /** Without tasks. */
  public Observed(
      Sized sized,
      List<StoreShard> shards,
      Optional<ServiceAddresses> service,
      Optional<Endpoint> endpoint,
      Optional<Problem> endpointProblem,
      PkiResult pki,
      Optional<Inputs> completeInputs,
      List<Deployment> deployments,
      List<Pod> pods,
      Scheduling scheduling) {
    this(
        sized,
        shards,
        service,
        endpoint,
        endpointProblem,
        pki,
        completeInputs,
        deployments,
        pods,
        scheduling,
        TaskOrders.NONE,
        RoutesSeen.NONE);
  }

  /** Hands this over to the dependents of the same reconciliation. */
  public void share(Context<ControlPlane> context) {
    context.managedWorkflowAndDependentResourceContext().put(KEY, this);
  }

  /** What the reconciler handed over. */
  public static Observed of(Context<ControlPlane> context) {
    return context.managedWorkflowAndDependentResourceContext().getMandatory(KEY, Observed.class);
  }

  /** The control plane, of the size that counts and with the stores that were chosen. */
  public EffectiveControlPlane controlPlane() {
    return sized.controlPlane();
  }

  /** The address of the API's Service inside the management cluster, once it has one. */
  public Optional<String> serviceAddress() {
    return service.map(addresses -> addresses.clusterIPs().getFirst());
  }

  /** What the components are made from; the workflow asks only when it is complete. */
  public Inputs inputs() {
    return completeInputs.orElseThrow();
  }

  /** Whether a store started empty, and not every component runs on it yet. */
  public boolean isStartingAnew() {
    return completeInputs
        .map(Inputs::dataEpoch)
        .filter(
            epoch ->
                deployments.stream().anyMatch(d -> !Rollout.isOnData(Rollout.dataEpoch(d), epoch)))
        .isPresent();
  }

  /**
   * Whether every Critical store serves: without one an apiserver answers from its cache, and takes
   * no write but by its time-out.
   */
  public boolean storesServe() {
    return shards.stream().filter(StoreNames::isCritical).allMatch(ShardStates::isReady);
  }

  /** The pods of a component. */
  public List<Pod> pods(String component) {
    return pods.stream()
        .filter(pod -> ControlPlaneNames.isOf(component, pod.getMetadata().getLabels()))
        .toList();
  }

  /** The Deployment of a component, when there is one. */
  public Optional<Deployment> deployment(String component) {
    String name = controlPlane().names().component(component);
    return deployments.stream().filter(d -> d.getMetadata().getName().equals(name)).findFirst();
  }
}
