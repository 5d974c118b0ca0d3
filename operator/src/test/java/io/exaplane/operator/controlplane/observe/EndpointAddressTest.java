// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ServiceAddresses;
import io.exaplane.operator.address.KeptAddresses;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.outcome.Problem;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 36: what is known of the published address, and what is said when it is lost. */
class EndpointAddressTest {

  /** An operator before this one told status.endpoint alone. */
  @ParameterizedTest
  @CsvSource({
    "ClusterIP,    fd00::5,   'ServiceAddresses[name=demo-apiserver, clusterIPs=[fd00::5], nodePort=null, loadBalancerIP=null]'",
    "NodePort,     192.0.2.1, 'ServiceAddresses[name=demo-apiserver, clusterIPs=[], nodePort=30005, loadBalancerIP=null]'",
    "LoadBalancer, 192.0.2.5, 'ServiceAddresses[name=demo-apiserver, clusterIPs=[], nodePort=null, loadBalancerIP=192.0.2.5]'"
  })
  void theEndpointOfAnOlderOperatorIsEnough(String type, String host, String known) {
    ControlPlane controlPlane = controlPlane(type, host, null);
    assertThat(EndpointAddress.known(controlPlane).map(Object::toString)).contains(known);
  }

  @Test
  void theServiceThatStatusTellsOfComesFirst() {
    ServiceAddresses told =
        new ServiceAddresses("demo-apiserver", List.of("10.96.0.5", "fd00::5"), null, null);
    assertThat(EndpointAddress.known(controlPlane("ClusterIP", "10.96.0.5", told))).contains(told);
    assertThat(EndpointAddress.known(Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}")))
        .isEmpty();
  }

  /** Only an address that is published cuts nodes off. */
  @ParameterizedTest
  @CsvSource({
    "ClusterIP,    clusterIPs=fd00::5,                true",
    "NodePort,     clusterIPs=fd00::5,                false",
    "NodePort,     'clusterIPs=fd00::5,nodePort=30005', true",
    "LoadBalancer, 'clusterIPs=fd00::5,nodePort=30005', false"
  })
  void aLostAddressIsTold(String type, String lost, boolean told) {
    Optional<Problem> problem =
        EndpointAddress.lost(controlPlane(type, "fd00::9", null), Optional.of(service(type, lost)));
    assertThat(problem.isPresent()).isEqualTo(told);
    problem.ifPresent(
        found -> {
          assertThat(found.reason()).isEqualTo(Reason.AddressLost);
          assertThat(found.message())
              .contains("cut off", "demo-admin-kubeconfig", KeptAddresses.LOST + "-")
              .contains(type.equals("NodePort") ? "node port 30005" : "address fd00::5");
        });
  }

  /** A node that is not Ready or has no address of the network is none. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "NodePort,     '{conditions: [{type: Ready, status: \"True\"}], addresses: [{type: InternalIP, address: 192.0.2.1}]}', 192.0.2.1, -",
        "NodePort,     '{conditions: [{type: Ready, status: \"False\"}], addresses: [{type: InternalIP, address: 192.0.2.1}]}', -, NoNodeAddress",
        "NodePort,     '{conditions: [{type: Ready, status: \"True\"}], addresses: [{type: Hostname, address: w1}]}', -, NoNodeAddress",
        "LoadBalancer, '{}', -, LoadBalancerPending",
        "ClusterIP,    '{}', fd00::9, -",
      })
  void anAddressOrWhyThereIsNone(String type, String node, String host, Reason reason) {
    Node one = new Node();
    one.setMetadata(new ObjectMeta());
    one.getMetadata().setName("w1");
    one.setStatus(Serialization.unmarshal("---\n" + node, NodeStatus.class));
    EndpointAddress.Result found =
        EndpointAddress.find(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 1, endpoint: {type: %s}}".formatted(type)),
            Optional.of(service(type, "")),
            () -> List.of(one));
    assertThat(found.endpoint().map(ControlPlaneStatus.Endpoint::host).orElse(null))
        .isEqualTo(host);
    assertThat(found.problem().map(Problem::reason).orElse(null)).isEqualTo(reason);
  }

  @Test
  void withoutAServiceTheAddressIsStillToCome() {
    assertThat(
            EndpointAddress.find(
                    Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}"),
                    Optional.empty(),
                    List::of)
                .problem()
                .map(Problem::reason))
        .contains(Reason.Creating);
  }

  private static Service service(String type, String lost) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Service
        metadata: {name: demo-apiserver, namespace: ns, annotations: {%s: "%s"}}
        spec: {type: %s, clusterIP: "fd00::9", ports: [{port: 6443}]}
        """
            .formatted(KeptAddresses.LOST, lost, type),
        Service.class);
  }

  private static ControlPlane controlPlane(String type, String host, ServiceAddresses service) {
    ControlPlane controlPlane =
        Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: 1, endpoint: {type: %s}}".formatted(type));
    controlPlane.setStatus(
        new ControlPlaneStatus(
            1L,
            null,
            new ControlPlaneStatus.Endpoint(host, 30005),
            service,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            List.of()));
    return controlPlane;
  }
}
