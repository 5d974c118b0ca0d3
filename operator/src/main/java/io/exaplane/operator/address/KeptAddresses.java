// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.address;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.ServiceAddresses;
import io.fabric8.kubernetes.api.model.LoadBalancerIngress;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServiceSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Service that is made anew asks for the addresses that the one before had, by status. An
 * annotation says for which, so that a later look asks for the same and writes nothing; a Service
 * that was made without is never touched for it. Pure.
 */
public final class KeptAddresses {
  /** On a Service: the fields that hold addresses of the Service before. */
  public static final String KEPT = Names.GROUP + "/kept-addresses";

  /** On a Service: addresses of the Service before that can't be had again, each with its field. */
  public static final String LOST = Names.GROUP + "/lost-addresses";

  private static final String LOAD_BALANCER = "LoadBalancer";
  private static final String CLUSTER_IP = "ClusterIP";

  /** What a Service can ask for. */
  public enum Field {
    clusterIPs("address"),
    nodePort("node port"),
    loadBalancerIP("address");

    private final String words;

    Field(String words) {
      this.words = words;
    }

    /** For people. */
    public String words() {
      return words;
    }
  }

  private KeptAddresses() {}

  /** The addresses of a Service, for status; empty while it has none. */
  public static Optional<ServiceAddresses> of(Service service) {
    List<String> clusterIps = clusterIps(service.getSpec());
    if (clusterIps.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new ServiceAddresses(
            service.getMetadata().getName(),
            clusterIps,
            port(service.getSpec()).map(ServicePort::getNodePort).orElse(null),
            balancers(service).findFirst().orElse(null)));
  }

  /**
   * The Service with the addresses that it is to ask for.
   *
   * @param wanted as the spec says
   * @param existing the Service that is there: what it was made with, it keeps
   * @param before the addresses of the one that was lost, if nothing is there
   */
  public static Service ask(
      Service wanted, Optional<Service> existing, Optional<ServiceAddresses> before) {
    if (existing.isPresent()) {
      Service there = existing.get();
      Service asks = with(wanted, fields(there), there);
      annotation(there, LOST).ifPresent(lost -> annotate(asks, LOST, lost));
      return asks;
    }
    return before
        .filter(known -> wanted.getMetadata().getName().equals(known.name()))
        .map(known -> with(wanted, EnumSet.allOf(Field.class), standIn(wanted, known)))
        .orElse(wanted);
  }

  /**
   * The same without the addresses that can't be had, which an annotation then names. Of two
   * cluster IPs the second goes first: it can't be asked for alone.
   */
  static Service without(Service asks, Set<Field> refused) {
    Set<Field> left = fields(asks);
    left.removeAll(refused);
    List<String> lost = new ArrayList<>();
    annotation(asks, LOST).ifPresent(lost::add);
    Service less = new ServiceBuilder(asks).build();
    if (refused.contains(Field.clusterIPs)) {
      List<String> asked = clusterIps(asks.getSpec());
      lost.add(entry(Field.clusterIPs, asked.getLast()));
      if (asked.size() > 1) {
        left.add(Field.clusterIPs);
        less.getSpec().setClusterIPs(asked.subList(0, asked.size() - 1));
      } else {
        less.getSpec().setClusterIP(null);
        less.getSpec().setClusterIPs(null);
      }
    }
    if (refused.contains(Field.nodePort)) {
      port(asks.getSpec())
          .map(port -> entry(Field.nodePort, port.getNodePort()))
          .ifPresent(lost::add);
      port(less.getSpec()).ifPresent(port -> port.setNodePort(null));
    }
    if (refused.contains(Field.loadBalancerIP)) {
      lost.add(entry(Field.loadBalancerIP, asks.getSpec().getLoadBalancerIP()));
      less.getSpec().setLoadBalancerIP(null);
    }
    annotate(less, KEPT, names(left));
    annotate(less, LOST, String.join(",", lost));
    return less;
  }

  /** The fields for which a Service asks by what the one before had. */
  static Set<Field> fields(Service service) {
    String kept = annotation(service, KEPT).orElse("");
    return Arrays.stream(Field.values())
        .filter(field -> List.of(kept.split(",")).contains(field.name()))
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Field.class)));
  }

  /**
   * The addresses that clients had and that lead to somebody else, or to nobody, now.
   *
   * @param field which of the Service's
   */
  public static List<String> lost(Service service, Field field) {
    Stream<String> told =
        annotation(service, LOST).stream()
            .flatMap(all -> Arrays.stream(all.split(",")))
            .filter(entry -> entry.startsWith(field.name() + "="))
            .map(entry -> entry.substring(entry.indexOf('=') + 1));
    List<String> balancers = balancers(service).toList();
    String asked = service.getSpec().getLoadBalancerIP();
    boolean other =
        field == Field.loadBalancerIP
            && fields(service).contains(Field.loadBalancerIP)
            && asked != null
            && !balancers.isEmpty()
            && !balancers.contains(asked);
    return Stream.concat(told, other ? Stream.of(asked) : Stream.empty()).distinct().toList();
  }

  private static String entry(Field field, Object address) {
    return field.name() + "=" + address;
  }

  private static Service with(Service wanted, Set<Field> fields, Service from) {
    Service asks = new ServiceBuilder(wanted).build();
    Set<Field> asked = EnumSet.noneOf(Field.class);
    List<String> clusterIps = clusterIps(from.getSpec());
    if (fields.contains(Field.clusterIPs) && !clusterIps.isEmpty()) {
      asks.getSpec().setClusterIP(clusterIps.getFirst());
      asks.getSpec().setClusterIPs(clusterIps);
      if (clusterIps.size() > 1) {
        asks.getSpec().setIpFamilyPolicy(from.getSpec().getIpFamilyPolicy());
      }
      asked.add(Field.clusterIPs);
    }
    Integer nodePort = port(from.getSpec()).map(ServicePort::getNodePort).orElse(null);
    // What the user names comes first.
    boolean free =
        !CLUSTER_IP.equals(wanted.getSpec().getType())
            && port(wanted.getSpec()).filter(port -> port.getNodePort() == null).isPresent();
    if (fields.contains(Field.nodePort) && nodePort != null && free) {
      port(asks.getSpec()).orElseThrow().setNodePort(nodePort);
      asked.add(Field.nodePort);
    }
    String balancer = from.getSpec().getLoadBalancerIP();
    if (fields.contains(Field.loadBalancerIP)
        && balancer != null
        && LOAD_BALANCER.equals(wanted.getSpec().getType())) {
      asks.getSpec().setLoadBalancerIP(balancer);
      asked.add(Field.loadBalancerIP);
    }
    if (!asked.isEmpty()) {
      annotate(asks, KEPT, names(asked));
    }
    return asks;
  }

  /** A Service that would have the addresses that status tells of. */
  private static Service standIn(Service wanted, ServiceAddresses known) {
    Service before = new ServiceBuilder(wanted).build();
    ServiceSpec spec = before.getSpec();
    spec.setClusterIPs(known.clusterIPs());
    spec.setIpFamilyPolicy("PreferDualStack");
    spec.setLoadBalancerIP(known.loadBalancerIP());
    port(spec).ifPresent(port -> port.setNodePort(known.nodePort()));
    return before;
  }

  private static List<String> clusterIps(ServiceSpec spec) {
    if (spec.getClusterIPs() != null && !spec.getClusterIPs().isEmpty()) {
      return spec.getClusterIPs();
    }
    return Stream.ofNullable(spec.getClusterIP()).filter(ip -> !ip.isEmpty()).toList();
  }

  private static Optional<ServicePort> port(ServiceSpec spec) {
    return spec.getPorts().stream().findFirst();
  }

  private static Stream<String> balancers(Service service) {
    return Optional.ofNullable(service.getStatus())
        .map(status -> status.getLoadBalancer())
        .map(balancer -> balancer.getIngress())
        .stream()
        .flatMap(Collection::stream)
        .map(LoadBalancerIngress::getIp)
        .filter(Objects::nonNull)
        .filter(ip -> !ip.isEmpty());
  }

  private static String names(Set<Field> fields) {
    return fields.stream().map(Field::name).collect(Collectors.joining(","));
  }

  private static Optional<String> annotation(Service service, String key) {
    return Optional.ofNullable(service.getMetadata().getAnnotations()).map(all -> all.get(key));
  }

  private static void annotate(Service service, String key, String value) {
    Map<String, String> annotations =
        new TreeMap<>(Objects.requireNonNullElse(service.getMetadata().getAnnotations(), Map.of()));
    if (value.isEmpty()) {
      annotations.remove(key);
    } else {
      annotations.put(key, value);
    }
    service.getMetadata().setAnnotations(annotations);
  }
}
