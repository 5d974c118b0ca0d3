// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.api.v1alpha1.ServiceAddresses;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 36: a Service that is made anew asks for the addresses that the one before had. */
class KeptAddressesTest {
  private static final ServiceAddresses BEFORE =
      new ServiceAddresses("s", List.of("10.96.0.5", "fd00:96::5"), 30005, "192.0.2.5");

  /** Each type of Service, with and without a node port of the user's. */
  @ParameterizedTest
  @CsvSource({
    "ClusterIP,    -,     'clusterIPs',                          -",
    "NodePort,     -,     'clusterIPs,nodePort',                 30005",
    "NodePort,     30111, 'clusterIPs',                          30111",
    "LoadBalancer, -,     'clusterIPs,nodePort,loadBalancerIP',  30005"
  })
  void asksForWhatTheTypeHas(String type, String nodePort, String kept, String asked) {
    Service asks = KeptAddresses.ask(wanted(type, nodePort), Optional.empty(), Optional.of(BEFORE));
    assertThat(asks.getMetadata().getAnnotations()).containsEntry(KeptAddresses.KEPT, kept);
    assertThat(asks.getSpec().getClusterIP()).isEqualTo("10.96.0.5");
    assertThat(asks.getSpec().getClusterIPs()).containsExactly("10.96.0.5", "fd00:96::5");
    assertThat(asks.getSpec().getIpFamilyPolicy()).isEqualTo("PreferDualStack");
    assertThat(String.valueOf(asks.getSpec().getPorts().getFirst().getNodePort()))
        .isEqualTo(asked.equals("-") ? "null" : asked);
    assertThat(asks.getSpec().getLoadBalancerIP())
        .isEqualTo(type.equals("LoadBalancer") ? "192.0.2.5" : null);
  }

  @Test
  void oneFamilyAsksForNoPolicy() {
    ServiceAddresses one = new ServiceAddresses("s", List.of("fd00:96::5"), null, null);
    Service asks = KeptAddresses.ask(wanted("ClusterIP", "-"), Optional.empty(), Optional.of(one));
    assertThat(asks.getSpec().getClusterIPs()).containsExactly("fd00:96::5");
    assertThat(asks.getSpec().getIpFamilyPolicy()).isNull();
  }

  @Test
  void nothingIsAskedOfNobody() {
    Service wanted = wanted("ClusterIP", "-");
    ServiceAddresses other = new ServiceAddresses("t", List.of("10.96.0.5"), null, null);
    assertThat(KeptAddresses.ask(wanted, Optional.empty(), Optional.empty())).isEqualTo(wanted);
    assertThat(KeptAddresses.ask(wanted, Optional.empty(), Optional.of(other))).isEqualTo(wanted);
  }

  @Test
  void aServiceThatWasMadeWithoutIsLeftAlone() {
    Service wanted = wanted("ClusterIP", "-");
    Service there = given(wanted, List.of("10.96.0.9"));
    assertThat(KeptAddresses.ask(wanted, Optional.of(there), Optional.of(BEFORE)))
        .isEqualTo(wanted);
  }

  @Test
  void theNextLookAsksForTheSame() {
    for (String type : List.of("ClusterIP", "NodePort", "LoadBalancer")) {
      Service wanted = wanted(type, "-");
      Service made = KeptAddresses.ask(wanted, Optional.empty(), Optional.of(BEFORE));
      assertThat(KeptAddresses.ask(wanted, Optional.of(made), Optional.of(BEFORE)))
          .as(type)
          .isEqualTo(made);
    }
  }

  @Test
  void aTypeThatChangesDropsWhatTheNewOneHasNot() {
    Service made =
        KeptAddresses.ask(wanted("LoadBalancer", "-"), Optional.empty(), Optional.of(BEFORE));
    Service asks = KeptAddresses.ask(wanted("ClusterIP", "-"), Optional.of(made), Optional.empty());
    assertThat(asks.getSpec().getClusterIPs()).isEqualTo(BEFORE.clusterIPs());
    assertThat(asks.getSpec().getPorts().getFirst().getNodePort()).isNull();
    assertThat(asks.getSpec().getLoadBalancerIP()).isNull();
    assertThat(asks.getMetadata().getAnnotations()).containsEntry(KeptAddresses.KEPT, "clusterIPs");
  }

  /** Which of the addresses others have, and what is left and told then. */
  @ParameterizedTest
  @CsvSource({
    "'',                               10.96.0.5 fd00:96::5, 30005, ''",
    "'10.96.0.5',                      'new',                30005, '10.96.0.5 fd00:96::5'",
    "'fd00:96::5',                     '10.96.0.5',          30005, 'fd00:96::5'",
    "'30005',                          10.96.0.5 fd00:96::5, new,   '30005'",
    "'10.96.0.5 fd00:96::5 30005',     'new',                new,   '10.96.0.5 fd00:96::5 30005'"
  })
  void whatOthersHaveIsNotAskedForAgain(
      String taken, String clusterIps, String nodePort, String lost) {
    Service asks =
        KeptAddresses.ask(wanted("NodePort", "-"), Optional.empty(), Optional.of(BEFORE));
    Service made = AddressRefusal.create(asks, service -> api(service, taken));
    assertThat(String.join(" ", made.getSpec().getClusterIPs())).isEqualTo(clusterIps);
    Integer port = made.getSpec().getPorts().getFirst().getNodePort();
    assertThat(port == null ? "new" : port.toString()).isEqualTo(nodePort);
    List<String> told = new ArrayList<>();
    for (KeptAddresses.Field field : KeptAddresses.Field.values()) {
      told.addAll(KeptAddresses.lost(made, field));
    }
    assertThat(told).containsExactlyInAnyOrder(lost.isEmpty() ? new String[0] : lost.split(" "));
    Service next = KeptAddresses.ask(wanted("NodePort", "-"), Optional.of(made), Optional.empty());
    assertThat(next.getMetadata().getAnnotations())
        .as("the next look forgets nothing")
        .isEqualTo(made.getMetadata().getAnnotations());
  }

  @Test
  void anotherRefusalIsNotTakenForThis() {
    Service asks =
        KeptAddresses.ask(wanted("ClusterIP", "-"), Optional.empty(), Optional.of(BEFORE));
    for (int code : new int[] {403, 409, 422, 500}) {
      assertThatThrownBy(
              () ->
                  AddressRefusal.create(
                      asks,
                      _ -> {
                        throw refusal(code, "spec.selector");
                      }))
          .isInstanceOf(KubernetesClientException.class);
    }
    // The user's own node port is the user's to change.
    assertThatThrownBy(
            () ->
                AddressRefusal.create(
                    KeptAddresses.ask(
                        wanted("NodePort", "30111"), Optional.empty(), Optional.of(BEFORE)),
                    _ -> {
                      throw refusal(422, "spec.ports[0].nodePort");
                    }))
        .isInstanceOf(KubernetesClientException.class);
  }

  @Test
  void aBalancerThatGivesAnotherAddressIsALoss() {
    Service asks =
        KeptAddresses.ask(wanted("LoadBalancer", "-"), Optional.empty(), Optional.of(BEFORE));
    assertThat(lost(balanced(asks, "192.0.2.5"))).isEmpty();
    assertThat(lost(balanced(asks, "192.0.2.9"))).containsExactly("192.0.2.5");
    assertThat(lost(asks)).as("not given yet").isEmpty();
    assertThat(lost(balanced(wanted("LoadBalancer", "-"), "192.0.2.9"))).isEmpty();
  }

  @Test
  void statusTellsAllAddresses() {
    Service there =
        balanced(given(wanted("LoadBalancer", "30007"), List.of("10.96.0.9")), "192.0.2.9");
    assertThat(KeptAddresses.of(there))
        .contains(new ServiceAddresses("s", List.of("10.96.0.9"), 30007, "192.0.2.9"));
    assertThat(KeptAddresses.of(wanted("ClusterIP", "-"))).isEmpty();
  }

  private static List<String> lost(Service service) {
    return KeptAddresses.lost(service, KeptAddresses.Field.loadBalancerIP);
  }

  /** As kube-apiserver 1.36 answers. */
  private static Service api(Service service, String taken) {
    List<String> others = List.of(taken.split(" "));
    List<String> asked =
        service.getSpec().getClusterIPs() == null ? List.of() : service.getSpec().getClusterIPs();
    if (asked.stream().anyMatch(others::contains)) {
      throw refusal(422, "spec.clusterIPs");
    }
    Integer port = service.getSpec().getPorts().getFirst().getNodePort();
    if (port != null && others.contains(port.toString())) {
      throw refusal(422, "spec.ports[0].nodePort");
    }
    return given(service, asked.isEmpty() ? List.of("new") : asked);
  }

  private static KubernetesClientException refusal(int code, String field) {
    Status status =
        new StatusBuilder()
            .withCode(code)
            .withNewDetails()
            .addNewCause(field, "refused", "FieldValueInvalid")
            .endDetails()
            .build();
    return new KubernetesClientException("refused", code, status);
  }

  private static Service given(Service service, List<String> clusterIps) {
    return new ServiceBuilder(service)
        .editSpec()
        .withClusterIP(clusterIps.getFirst())
        .withClusterIPs(clusterIps)
        .endSpec()
        .build();
  }

  private static Service balanced(Service service, String ip) {
    return new ServiceBuilder(service)
        .withNewStatus()
        .withNewLoadBalancer()
        .addNewIngress()
        .withIp(ip)
        .endIngress()
        .endLoadBalancer()
        .endStatus()
        .build();
  }

  private static Service wanted(String type, String nodePort) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Service
        metadata: {name: s, namespace: ns}
        spec: {type: %s, ports: [{name: https, port: 6443, protocol: TCP%s}]}
        """
            .formatted(type, nodePort.equals("-") ? "" : ", nodePort: " + nodePort),
        Service.class);
  }
}
