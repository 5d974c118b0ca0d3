// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.model.InvalidInputException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostAddressesTest {
  @Test
  void everyHostHasAnAddressAndAPrefixOfItsOwn() {
    HostAddresses addresses = HostAddresses.of("fd00:e:1::/48");
    assertThat(addresses.gateway()).isEqualTo("fd00:e:1::1");
    assertThat(addresses.host(0)).isEqualTo("fd00:e:1::2");
    assertThat(addresses.pods(0)).isEqualTo("fd00:e:1:1::/64");
    assertThat(addresses.host(15)).isEqualTo("fd00:e:1::11");
    assertThat(addresses.pods(255)).isEqualTo("fd00:e:1:100::/64");
    Set<String> all = new HashSet<>(Set.of(addresses.gateway()));
    for (int i = 0; i < HostAddresses.MOST; i++) {
      assertThat(all.add(addresses.host(i))).isTrue();
      assertThat(all.add(addresses.pods(i))).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.0/8", "fd00::/47", "fd00::/64", "fd00:0:0:1::/48", "fd00::", "", "x/48"})
  void anotherPrefixIsRefused(String text) {
    assertThatThrownBy(() -> HostAddresses.of(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("prefix: '" + text + "' must be an IPv6 prefix with the length /48")
        .hasMessageContaining("write it as");
  }
}
