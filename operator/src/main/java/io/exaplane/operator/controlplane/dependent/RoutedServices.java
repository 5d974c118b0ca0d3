// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Route;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.RoutesSeen;
import io.exaplane.operator.dependent.OwnedObjects;
import io.exaplane.operator.move.RouteService;
import io.fabric8.kubernetes.api.model.Service;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.Matcher;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Services by which kube-apiservers reach single resources. One that was lost is created again;
 * one that exists stays as it is, since only a switch changes its selector, and a look that is
 * older than the switch must not set the selector back.
 */
@KubernetesDependent
public class RoutedServices extends OwnedObjects<Service, ControlPlane> {
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
    return Matcher.Result.computed(true, desired);
  }

  @Override
  public Service create(Service desired, ControlPlane primary, Context<ControlPlane> context) {
    return RouteService.create(desired, primary, context.getClient());
  }
}
