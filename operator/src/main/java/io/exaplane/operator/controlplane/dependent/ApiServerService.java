// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.EndpointSpec;
import io.exaplane.api.v1alpha1.EndpointType;
import io.exaplane.operator.address.AddressRefusal;
import io.exaplane.operator.address.KeptAddresses;
import io.exaplane.operator.controlplane.observe.EndpointAddress;
import io.exaplane.operator.dependent.OwnedObject;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;

/** The Service that publishes the API, of the type that the spec asks for. */
@KubernetesDependent
public class ApiServerService extends OwnedObject<Service, ControlPlane> {

  ApiServerService() {
    super(Service.class);
  }

  @Override
  protected Service desired(ControlPlane controlPlane, Context<ControlPlane> context) {
    Service wanted = render(controlPlane);
    return KeptAddresses.ask(
        wanted,
        context
            .getSecondaryResourcesAsStream(Service.class)
            .filter(s -> s.getMetadata().getName().equals(wanted.getMetadata().getName()))
            .findFirst(),
        EndpointAddress.known(controlPlane));
  }

  @Override
  protected Service make(Service wanted, ControlPlane controlPlane, Context<ControlPlane> context) {
    return AddressRefusal.create(wanted, asks -> super.make(asks, controlPlane, context));
  }

  /** The Service. Pure. */
  static Service render(ControlPlane controlPlane) {
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    EndpointSpec endpoint = EndpointSpec.of(controlPlane.getSpec().endpoint());
    ServiceBuilder service =
        new ServiceBuilder()
            .withNewMetadata()
            .withName(names.component(ControlPlaneNames.API_SERVER))
            .withNamespace(controlPlane.getMetadata().getNamespace())
            .withLabels(names.labels(ControlPlaneNames.API_SERVER))
            .withAnnotations(endpoint.annotations())
            .endMetadata()
            .withNewSpec()
            .withType(endpoint.type().name())
            .withSelector(names.selector(ControlPlaneNames.API_SERVER))
            .addNewPort()
            .withName("https")
            .withPort(endpoint.port())
            .withNodePort(endpoint.nodePort())
            .withTargetPort(new IntOrString("https"))
            .withProtocol("TCP")
            .endPort()
            .endSpec();
    if (endpoint.type() == EndpointType.LoadBalancer) {
      service
          .editSpec()
          .withLoadBalancerClass(endpoint.loadBalancerClass())
          .withLoadBalancerSourceRanges(endpoint.sourceRanges())
          .endSpec();
    }
    return service.build();
  }
}
