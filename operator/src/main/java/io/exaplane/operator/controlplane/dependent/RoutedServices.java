// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Route;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.RoutesSeen;
import io.exaplane.operator.dependent.OwnedObjects;
import io.exaplane.operator.move.RouteService;
import io.exaplane.operator.move.RouteServices;
import io.exaplane.operator.order.TaskOrders;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.Matcher;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The Services by which kube-apiservers reach single resources. One that was lost is created again.
 * One that exists stays as it is while a task moves its resource. Otherwise it leads to the store
 * that the spec says. A pass that is older than a switch must not set the selector back, so the API
 * server is asked before.
 */
@KubernetesDependent
public class RoutedServices extends OwnedObjects<Service, ControlPlane> {
  private static final Logger LOG = Logger.getLogger(RoutedServices.class);

  RoutedServices() {
    super(Service.class, ControlPlane.class);
  }

  @Override
  protected Stream<Service> render(ControlPlane primary, Context<ControlPlane> context) {
    Observed observed = Observed.of(context);
    RoutesSeen seen = observed.routes();
    Stream<Service> lost =
        seen.routes().stream()
            .map(Route::resource)
            .filter(resource -> seen.service(resource, primary).isEmpty())
            .map(
                resource ->
                    RouteService.render(
                        primary,
                        resource,
                        observed
                            .orders()
                            .selected(resource, observed.controlPlane().spec().storage())));
    return Stream.concat(seen.services().stream(), lost);
  }

  @Override
  public Map<ResourceID, Service> getSecondaryResources(
      ControlPlane primary, Context<ControlPlane> context) {
    return context
        .getSecondaryResourcesAsStream(Service.class)
        .filter(RoutesSeen::isRoute)
        .collect(Collectors.toMap(ResourceID::fromResource, Function.identity()));
  }

  @Override
  public Matcher.Result<Service> match(
      Service actual, Service desired, ControlPlane primary, Context<ControlPlane> context) {
    Observed observed = Observed.of(context);
    return Matcher.Result.computed(
        observed
            .routes()
            .strayed(actual, primary, observed.orders(), observed.controlPlane().spec().storage())
            .isEmpty(),
        desired);
  }

  @Override
  public Service update(
      Service actual, Service desired, ControlPlane primary, Context<ControlPlane> context) {
    Observed observed = Observed.of(context);
    return lead(
        actual,
        primary,
        observed.routes(),
        observed.controlPlane().spec().storage(),
        context.getClient());
  }

  /** By the tasks and the spec that the API server has now; another spec has another pass. */
  static Service lead(
      Service actual,
      ControlPlane primary,
      RoutesSeen seen,
      StorageSpec storage,
      KubernetesClient client) {
    ControlPlane live = client.resource(primary).get();
    if (live == null
        || !live.getMetadata().getUid().equals(primary.getMetadata().getUid())
        || !Objects.equals(
            live.getMetadata().getGeneration(), primary.getMetadata().getGeneration())) {
      return actual;
    }
    List<ControlPlaneTask> tasks =
        client
            .resources(ControlPlaneTask.class)
            .inNamespace(primary.getMetadata().getNamespace())
            .list()
            .getItems();
    Optional<String> store = seen.strayed(actual, primary, TaskOrders.of(live, tasks), storage);
    if (store.isEmpty()) {
      return actual;
    }
    LOG.infof(
        "Service %s leads to store %s again, as the spec says; no task moves its resource",
        actual.getMetadata().getName(), store.get());
    return RouteServices.select(actual, primary, store.get(), client);
  }

  @Override
  public Service create(Service desired, ControlPlane primary, Context<ControlPlane> context) {
    return RouteService.create(desired, primary, context.getClient());
  }
}
