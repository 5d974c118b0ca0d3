// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.management;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.networking.v1.ServiceCIDR;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The addresses of the management cluster, as of a minute ago at most, as far as its API tells
 * them: addresses and pod ranges of nodes, ranges of Services where it serves ServiceCIDRs, and the
 * address of the Service kubernetes where it does not. Thread-safe.
 */
@ApplicationScoped
public class ManagementAddresses {
  /** After which the addresses are read again: there may be thousands of nodes. */
  public static final Duration AGE = Duration.ofMinutes(1);

  private static final Set<Integer> NOT_TOLD = Set.of(403, 404);
  private static final Set<String> ADDRESSES = Set.of("InternalIP", "ExternalIP");

  private final KubernetesClient client;
  private final Clock clock;
  private List<Taken> taken = List.of();
  private Instant read = Instant.MIN;

  /** Of the cluster of a client. */
  public ManagementAddresses(KubernetesClient client, Clock clock) {
    this.client = client;
    this.clock = clock;
  }

  /**
   * All of them, in the order in which the API lists their objects.
   *
   * @throws KubernetesClientException if the API does not answer, or refuses to list nodes
   */
  public synchronized List<Taken> taken() {
    Instant now = clock.instant();
    if (read.isBefore(now.minus(AGE))) {
      Service kubernetes = client.services().inNamespace("default").withName("kubernetes").get();
      taken =
          Stream.of(
                  ofServices(serviceCidrs(), Optional.ofNullable(kubernetes)).stream(),
                  ofNodes(client.nodes().list().getItems()).stream())
              .flatMap(all -> all)
              .toList();
      read = now;
    }
    return taken;
  }

  private List<ServiceCIDR> serviceCidrs() {
    try {
      return client.resources(ServiceCIDR.class).list().getItems();
    } catch (KubernetesClientException e) {
      if (NOT_TOLD.contains(e.getCode())) {
        return List.of();
      }
      throw e;
    }
  }

  /** Where Services are. Pure. */
  public static List<Taken> ofServices(List<ServiceCIDR> cidrs, Optional<Service> kubernetes) {
    List<Taken> taken = new ArrayList<>();
    for (ServiceCIDR each : cidrs) {
      each.getSpec().getCidrs().forEach(cidr -> taken.add(new Taken("Services", cidr)));
    }
    kubernetes
        .map(service -> service.getSpec().getClusterIPs())
        .ifPresent(
            ips -> ips.forEach(ip -> taken.add(new Taken("Service default/kubernetes", ip))));
    return taken;
  }

  /** Where nodes and their pods are. Pure. */
  public static List<Taken> ofNodes(List<Node> nodes) {
    List<Taken> taken = new ArrayList<>();
    for (Node node : nodes) {
      String name = node.getMetadata().getName();
      podCidrs(node).forEach(cidr -> taken.add(new Taken("pods on node " + name, cidr)));
      if (node.getStatus() != null && node.getStatus().getAddresses() != null) {
        node.getStatus().getAddresses().stream()
            .filter(address -> ADDRESSES.contains(address.getType()))
            .map(NodeAddress::getAddress)
            .forEach(address -> taken.add(new Taken("node " + name, address)));
      }
    }
    return taken;
  }

  private static List<String> podCidrs(Node node) {
    if (node.getSpec() == null) {
      return List.of();
    }
    List<String> all = node.getSpec().getPodCIDRs();
    return all == null || all.isEmpty()
        ? Stream.ofNullable(node.getSpec().getPodCIDR()).toList()
        : all;
  }
}
