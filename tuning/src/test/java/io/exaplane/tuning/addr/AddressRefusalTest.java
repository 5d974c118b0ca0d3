// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import static io.exaplane.tuning.addr.Plans.MATRIX;
import static io.exaplane.tuning.addr.Plans.PROVIDERS;
import static io.exaplane.tuning.addr.Plans.inputs;
import static io.exaplane.tuning.addr.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.addr.AddressPlan.Asked;
import io.exaplane.tuning.model.InvalidInputException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Networks that cannot be. */
class AddressRefusalTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "provider=nowhere | provider: 'nowhere' is not a known provider",
        "provider=aws nodes=0 | nodes: '0' must be a whole number between 1 and 1,000,000; choose",
        "provider=aws nodes=1e3 | nodes: '1e3' must be a whole number",
        "provider=aws prefixes=10.0.0.0/8 | prefixes: '10.0.0.0/8' must be an IPv6 prefix",
        "provider=aws prefixes=2001:db8::1/56 | has bits set behind its prefix",
        "provider=aws prefixes=2001:db8::/96 | is smaller than the prefix of a node, a /80",
        "provider=aws prefixes=2001:db8::/56,2001:db8:0:1::/64 | overlaps with 2001:db8::/56, another prefix",
        "provider=aws prefixes=fd00:10::/32 | overlaps with fd00:10:96::/108, the range of Services",
        "provider=aws prefixes=fd00:1::/56 cluster-cidr=fd00:1::/48 | overlaps with fd00:1::/48, the cluster range",
        "provider=aws cluster-cidr=fd00:10::/32 | cluster-cidr: 'fd00:10::/32' overlaps with fd00:10:96::/108",
        "provider=azure subnet-length=80 | subnet-length: '80' must be /64 at azure",
        "provider=aws subnet-length=40 | must be between /44 and /64 in steps of 4 at aws",
        "provider=aws subnet-length=50 | must be between /44 and /64 in steps of 4 at aws",
        "provider=aws prefixes=ff00:1::/56 | prefixes: 'ff00:1::/56' contains multicast addresses",
        "provider=aws prefixes=fe80::/16 | contains link-local addresses",
        "provider=aws cluster-cidr=::/1 | cluster-cidr: '::/1' contains reserved addresses",
        "provider=aws prefixes= | prefixes: '' must be an IPv6 prefix",
        "provider=aws prefixes=2001:db8::/56, | prefixes: '' must be an IPv6 prefix",
        "provider=aws node-prefix-length=64 | must be /80 at aws",
        "provider=aws pod-prefix-length=64 | is shorter than the prefix of a node, a /80",
        "provider=gcp pod-prefix-length=96 | leaves no room for the node's own address",
        "provider=aws pod-prefix-length=127 | leaves no address for pods",
        "provider=aws max-pods=0 | max-pods: '0' must be a whole number between 1 and 65,535",
        "provider=aws service-cidr=fd00::/126 | is too small for kube-apiserver",
        "provider=aws service-cidr=fd00::/64 kubernetes-version=1.33 | is too large for kube-apiserver 1.33; use a prefix of /108",
        "provider=aws service-cidr=fd00::/63 kubernetes-version=1.34 | is too large for kube-apiserver 1.34; use a prefix of /64",
        "provider=aws service-cidr=fd00::/48 | use a prefix of /64 or longer",
        "provider=aws kubernetes-version=1.29 | must lie between 1.30 and",
        "provider=aws kubernetes-version=x | kubernetes-version: 'x'",
        "provider=aws cluster-cidr=fd00:1::/80 pod-prefix-length=72 | must not be shorter than the prefix of fd00:1::/80",
        "provider=aws servers=5 | quota: 'servers' is not a known quota of aws; name one of network-interfaces",
      })
  void refusesWhatCannotBe(String inputs, String message) {
    assertThatThrownBy(() -> plan(inputs))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("; ");
  }

  @Test
  void servicesMayBeLargeWhereTheVersionAllows() {
    assertThat(plan("provider=aws service-cidr=fd00::/64 kubernetes-version=1.34").carries())
        .isTrue();
    assertThat(plan("provider=aws service-cidr=fd00::/108 kubernetes-version=1.30").carries())
        .isTrue();
  }

  @Test
  void partsMustNotOverlapNorDifferInTheirRanges() {
    Asked one = new Asked(inputs("provider=bare-metal prefixes=2001:db8::/48"), Map.of());
    Asked two = new Asked(inputs("provider=dhcpv6-pd prefixes=2001:db8:0:8000::/52"), Map.of());
    assertThatThrownBy(() -> AddressPlan.of(Map.of(), List.of(one, two), PROVIDERS, MATRIX))
        .hasMessageContaining("overlaps with 2001:db8::/48, a prefix of bare-metal");
    Asked long1 = new Asked(inputs("provider=vultr pod-prefix-length=60"), Map.of());
    Asked long2 = new Asked(inputs("provider=aws"), Map.of());
    assertThatThrownBy(
            () ->
                AddressPlan.of(
                    inputs("cluster-cidr=fd00:1::/48"), List.of(long1, long2), PROVIDERS, MATRIX))
        .hasMessageContaining("kube-controller-manager gives all nodes the same length");
  }
}
