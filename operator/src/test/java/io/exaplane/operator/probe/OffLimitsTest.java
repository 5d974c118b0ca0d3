// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.check.EndpointPlaceCheck;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Line 11: where a user's spec must not lead the operator, in every way to write it. */
class OffLimitsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.8.9.1",
        "::1",
        "[::1]",
        "0:0:0:0:0:0:0:1",
        "0.0.0.0",
        "0.1.2.3",
        "::",
        "255.255.255.255",
        "240.0.0.1",
        "169.254.169.254",
        "169.254.170.2",
        "fe80::1",
        "fe80::1%eth0",
        "224.0.0.1",
        "ff02::1",
        "168.63.129.16",
        "100.100.100.200",
        "192.0.0.192",
        "fd00:ec2::254",
        "FD00:EC2::254",
        "fd20:ce::254",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::127.0.0.1",
        "::a9fe:a9fe",
        "64:ff9b::127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::1",
        "2130706433",
        "0x7f000001",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "127.1",
        "127.0.1",
        "169.254.43518",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "a.localhost",
        "localhost.localdomain",
        "ip6-localhost",
        "metadata.google.internal",
        "metadata.google.internal.",
        "instance-data",
      })
  void isAPlaceThatNobodyIsLedTo(String host) {
    assertThat(OffLimits.is(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "192.0.2.1",
        "10.0.0.1",
        "100.100.100.201",
        "126.255.255.255",
        "fd00::1",
        "fd00:ec2::255",
        "2001:db8::7f00:1",
        "64:ff9b::c000:201",
        "2002:c000:201::1",
        "api.example.org",
        "localhost.example.org",
        "1.example.org",
        "metadata.example.org",
      })
  void isAPlaceLikeAnyOther(String host) {
    assertThat(OffLimits.is(host)).isFalse();
  }

  @Test
  void anEndpointIsNoneOfThem() {
    for (String host :
        new String[] {"127.0.0.1", "169.254.169.254", "fe80::1", "64:ff9b::7f00:1"}) {
      var problem = EndpointPlaceCheck.check(at(host, "")).orElseThrow();
      assertThat(problem.reason()).isEqualTo(Reason.HostNotAnAddress);
      assertThat(problem.message()).startsWith("spec.endpoint.host " + host + ": ");
      assertThat(
              EndpointPlaceCheck.check(
                  at(host, "status: {endpoint: {host: '%s', port: 1}}\n".formatted(host))))
          .as("what is published stays")
          .isEmpty();
    }
    assertThat(EndpointPlaceCheck.check(at("192.0.2.1", ""))).isEmpty();
    assertThat(EndpointPlaceCheck.check(Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}")))
        .isEmpty();
  }

  private static ControlPlane at(String host, String status) {
    return Serialization.unmarshal(
        Serialization.asYaml(
                Fixtures.controlPlane(
                    "{version: 1.36.3, maxNodes: 1, endpoint: {host: '%s'}}".formatted(host)))
            + status,
        ControlPlane.class);
  }
}
