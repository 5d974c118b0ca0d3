// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.Shapes;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.model.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServersTest {
  @Test
  void readsCoresMemoryAndNetwork() {
    assertThat(Servers.parse(Servers.DEFAULT))
        .isEqualTo(new Servers(128, 512 * Bytes.GIB, 25e9))
        .returns("128 cores, 512 GiB, 25 Gbit/s", Servers::text);
    assertThat(Servers.parse("0.5C, 1.5TB, 100 mbit/s")).isEqualTo(new Servers(0.5, 1.5e12, 100e6));
    assertThat(Servers.parse("8c,64Gi,10Gbit").memory()).isEqualTo(64 * Bytes.GIB);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "64c,256GiB,25Gbit",
        "64 vCPU, 256 GiB, 25 Gbps",
        "64cores,256gib,25gbit/s",
        "64vcpus,256Gi,25Gb/s",
        "64cpu,256GIB,25GbE",
      })
  void vendorsNamesMeanTheSame(String text) {
    assertThat(Servers.parse(text)).isEqualTo(new Servers(64, 256 * Bytes.GIB, 25e9));
  }

  /** A capital B is for bytes, and 25GB/s are 200Gbit. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "large",
        "128c",
        "128,512GiB,25Gbit",
        "128c,512GiB",
        "128c,512,25G",
        "128c,512GiB,25GB/s",
        "128c,512GiB,25GBps"
      })
  void refusesWhatIsNotAServer(String text) {
    assertThatThrownBy(() -> Servers.parse(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("servers")
        .hasMessageContaining("write all three, for example 128c,512GiB,25Gbit");
  }

  @Test
  void carriesAClusterAndLeavesWhatItSaysItself() {
    Shape carried = Servers.parse("64c,100GB,25Gbit").carry(Shapes.of(Input.STORE_BANDWIDTH, 99));
    assertThat(carried.number(Input.APISERVER_BANDWIDTH)).isEqualTo(3_125);
    assertThat(carried.number(Input.STORE_BANDWIDTH)).isEqualTo(99);
    assertThat(carried.knownNumber(Input.APISERVER_CPUS)).hasValue(64.0);
    assertThat(carried.knownNumber(Input.LARGEST_NODE_MEMORY)).hasValue(90_599 * Bytes.MIB);
    assertThatThrownBy(() -> Servers.parse("9999c,1GiB,1Gbit").carry(Shapes.of()))
        .isInstanceOf(InvalidInputException.class);
  }
}
