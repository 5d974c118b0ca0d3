// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.api.v1alpha1.EndpointSpec;
import io.exaplane.api.v1alpha1.EndpointType;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ServiceAddresses;
import io.exaplane.operator.address.KeptAddresses;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.status.Patience;
import io.fabric8.kubernetes.api.model.LoadBalancerIngress;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.Service;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Where clients reach the API, by the type of its endpoint. Pure. */
public final class EndpointAddress {
  private EndpointAddress() {}

  /** An address or why there is none. */
  public record Result(Optional<Endpoint> endpoint, Optional<Problem> problem) {
    static Result of(String host, Integer port) {
      return new Result(Optional.of(new Endpoint(host, port)), Optional.empty());
    }

    static Result none(Reason reason, String message) {
      return new Result(Optional.empty(), Optional.of(new Problem(reason, message)));
    }
  }

  /**
   * Finds the address.
   *
   * @param service the API's Service, when there is one
   * @param nodes the management cluster's nodes, asked for only when a node's address is needed
   */
  public static Result find(
      ControlPlane controlPlane, Optional<Service> service, Supplier<List<Node>> nodes) {
    EndpointSpec spec = EndpointSpec.of(controlPlane.getSpec().endpoint());
    if (service.filter(s -> s.getSpec().getType().equals(spec.type().name())).isEmpty()) {
      return Result.none(
          Reason.Creating, "The operator is creating the Service." + Patience.NO_ACTION);
    }
    Service existing = service.get();
    return switch (spec.type()) {
      case ClusterIP -> Result.of(existing.getSpec().getClusterIP(), spec.port());
      case NodePort -> nodePort(controlPlane, spec, existing, nodes);
      case LoadBalancer -> loadBalancer(existing, spec);
    };
  }

  /** The addresses that status tells of; an older operator told the endpoint alone. */
  public static Optional<ServiceAddresses> known(ControlPlane controlPlane) {
    Optional<ControlPlaneStatus> status = Optional.ofNullable(controlPlane.getStatus());
    return status
        .map(ControlPlaneStatus::service)
        .or(
            () ->
                status
                    .map(ControlPlaneStatus::endpoint)
                    .map(endpoint -> ofEndpoint(controlPlane, endpoint)));
  }

  private static ServiceAddresses ofEndpoint(ControlPlane controlPlane, Endpoint endpoint) {
    EndpointType type = EndpointSpec.of(controlPlane.getSpec().endpoint()).type();
    return new ServiceAddresses(
        new ControlPlaneNames(controlPlane).component(ControlPlaneNames.API_SERVER),
        type == EndpointType.ClusterIP ? List.of(endpoint.host()) : List.of(),
        type == EndpointType.NodePort ? endpoint.port() : null,
        type == EndpointType.LoadBalancer ? endpoint.host() : null);
  }

  /**
   * What follows when the published address could not be had again, and what to do; until a person
   * says that it is done.
   */
  static Optional<Problem> lost(ControlPlane controlPlane, Optional<Service> service) {
    KeptAddresses.Field published =
        switch (EndpointSpec.of(controlPlane.getSpec().endpoint()).type()) {
          case ClusterIP -> KeptAddresses.Field.clusterIPs;
          case NodePort -> KeptAddresses.Field.nodePort;
          case LoadBalancer -> KeptAddresses.Field.loadBalancerIP;
        };
    return service
        .map(there -> KeptAddresses.lost(there, published))
        .filter(lost -> !lost.isEmpty())
        .map(
            lost ->
                new Problem(
                    Reason.AddressLost,
                    "Service %s was deleted, and its %s %s is lost: another object has the address, or the address is out of range. Nodes and clients that use the lost address are cut off. The API answers at the address in status.endpoint. Configure nodes and clients with that address; Secret %s has it. Then run 'kubectl -n %s annotate service %s %s-'."
                        .formatted(
                            service.get().getMetadata().getName(),
                            published.words(),
                            String.join(", ", lost),
                            new ControlPlaneNames(controlPlane).adminKubeconfig(),
                            service.get().getMetadata().getNamespace(),
                            service.get().getMetadata().getName(),
                            published == KeptAddresses.Field.loadBalancerIP
                                ? KeptAddresses.KEPT
                                : KeptAddresses.LOST)));
  }

  private static Result nodePort(
      ControlPlane controlPlane, EndpointSpec spec, Service service, Supplier<List<Node>> nodes) {
    Integer port = service.getSpec().getPorts().getFirst().getNodePort();
    if (spec.host() != null) {
      return Result.of(spec.host(), port);
    }
    List<Node> all = nodes.get();
    List<String> existing = addresses(all.stream());
    List<String> ready = addresses(all.stream().filter(EndpointAddress::isReady));
    // The address stays while its node exists: a new one changes every client's kubeconfig.
    return Optional.ofNullable(controlPlane.getStatus())
        .flatMap(status -> Optional.ofNullable(status.endpoint()))
        .map(Endpoint::host)
        .filter(existing::contains)
        .or(() -> ready.stream().findFirst())
        .map(host -> Result.of(host, port))
        .orElseGet(
            () ->
                Result.none(
                    Reason.NoNodeAddress,
                    "No node of the management cluster is Ready with an InternalIP. Repair the"
                        + " nodes, or set spec.endpoint.host."));
  }

  private static Result loadBalancer(Service service, EndpointSpec spec) {
    return Optional.ofNullable(service.getStatus())
        .map(status -> status.getLoadBalancer())
        .map(balancer -> balancer.getIngress())
        .stream()
        .flatMap(Collection::stream)
        .map(LoadBalancerIngress::getIp)
        .filter(ip -> ip != null && !ip.isEmpty())
        .findFirst()
        .map(ip -> Result.of(ip, spec.port()))
        .orElseGet(
            () ->
                Result.none(
                    Reason.LoadBalancerPending,
                    asksAgain(service)
                        + "Service %s has no IP address in status.loadBalancer yet. The provider's load balancer controller sets the address; see 'kubectl describe service %s'. A load balancer with a host name only is not supported."
                            .formatted(
                                service.getMetadata().getName(), service.getMetadata().getName())));
  }

  /** That the provider was asked for an address, which not every one gives. */
  private static String asksAgain(Service service) {
    String asked = service.getSpec().getLoadBalancerIP();
    return asked == null
        ? ""
        : "Service %s was deleted and created again, and asks for the address %s that nodes and clients know. If the provider can't give that address, run 'kubectl -n %s annotate service %s %s-'. "
            .formatted(
                service.getMetadata().getName(),
                asked,
                service.getMetadata().getNamespace(),
                service.getMetadata().getName(),
                KeptAddresses.KEPT);
  }

  private static List<String> addresses(Stream<Node> nodes) {
    return nodes
        .sorted(Comparator.comparing(node -> node.getMetadata().getName()))
        .map(EndpointAddress::internalAddress)
        .flatMap(Optional::stream)
        .toList();
  }

  private static boolean isReady(Node node) {
    return node.getStatus().getConditions().stream()
        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
  }

  private static Optional<String> internalAddress(Node node) {
    return node.getStatus().getAddresses().stream()
        .filter(address -> address.getType().equals("InternalIP"))
        .map(NodeAddress::getAddress)
        .findFirst();
  }
}
