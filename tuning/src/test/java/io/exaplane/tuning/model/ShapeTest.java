// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.Shapes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "KUBERNETES_VERSION | 1.29          | must lie between 1.30 and 1.37",
        "KUBERNETES_VERSION | 2.0           | must be a version such as 1.36",
        "NODES              | -5            | must lie between 1 and 1,000,000",
        "NODES              | 0             | must lie between 1 and 1,000,000",
        "NODES              | 1000001       | must lie between 1 and 1,000,000",
        "NODES              | many          | must be a whole number",
        "NODES              | 1e3           | must be a whole number",
        "POD_CHURN          | NaN           | must be a number",
        "POD_CHURN          | 5d            | must be a number",
        "POD_CHURN          | 0x1p3         | must be a number",
        "APISERVER_MEMORY   | 64GB          | must be a quantity such as 64Gi",
        "APISERVER_MEMORY   | 1Mi           | must lie between 512 MiB and 24 TiB",
        "APISERVER_MEMORY   | 1Pi           | must lie between 512 MiB and 24 TiB",
        "APISERVER_MEMORY   | -1Gi          | must be a quantity such as 64Gi",
        "APISERVER_MEMORY   | 64g           | must be a quantity such as 64Gi",
        "KUBE_PROXY         | yes           | must be true or false",
        "AGENTS             | telemetry     | must be namespace/serviceaccount",
        "BREAK_GLASS_GROUP  | ' '           | must not be empty",
        "POD_CIDRS          | fd00::/129    | has a prefix longer than the 128 bits",
        "POD_CIDRS          | fd00::1/64    | has bits set behind its prefix",
        "POD_CIDRS          | 10.0.0.0/33   | has a prefix longer than the 32 bits",
        "POD_CIDRS          | example.org/8 | must be an address and a prefix length",
        "POD_CIDRS          | fd00::/64,fd01::/64 | must have at most one range of each address family",
      })
  void whatCannotBeIsNamedWithItsValueAndRule(Input input, String value, String rule) {
    assertThatThrownBy(() -> Shapes.of(input, value))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(input.key())
        .hasMessageContaining("'" + value + "'")
        .hasMessageContaining(rule);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NODES            | 5,000   | write 5000 or omit the input",
        "NODES            | 1_000_000 | write 1000000 or omit the input",
        "NODES            | 5k      | write 5000 or omit the input",
        "NODES            | 0.5M    | write 500000 or omit the input",
        "NODES            | 5e3     | write 5000 or omit the input",
        "POD_CHURN        | 2.5k    | write 2500 or omit the input",
        "APISERVER_MEMORY | 64GB    | write 64G or omit the input",
        "APISERVER_MEMORY | 64 GiB  | write 64Gi or omit the input",
        "APISERVER_MEMORY | 64gi    | write 64Gi or omit the input",
        "APISERVER_MEMORY | 64m     | write 64M or omit the input",
        "KUBE_PROXY       | yes     | write true or omit the input",
        "KUBE_PROXY       | False   | write false or omit the input",
        "NODES            | many    | correct the value or omit the input (nodes; default: 1000)",
        "NODES            | 1000001 | correct the value or omit the input",
        "APISERVER_MEMORY | 1Mi     | correct the value or omit the input",
      })
  void whatWasMeantIsSaid(Input input, String value, String next) {
    assertThatThrownBy(() -> Shapes.of(input, value)).hasMessageContaining(next);
  }

  @Test
  void everyInputHasADefaultOrSaysWhoChooses() {
    Shape shape = Shapes.of();
    for (Input input : Input.values()) {
      switch (input.type()) {
        case COUNT, NUMBER, BYTES -> {
          if (!input.defaultText().equals("by the model")
              && !input.defaultText().equals("unknown")) {
            assertThat(shape.number(input)).as(input.key()).isNotNegative();
          }
        }
        default -> assertThat(input.defaultText()).isNotEmpty();
      }
    }
    assertThat(shape.version()).isEqualTo(Shapes.MATRIX.minors().getLast());
  }

  @Test
  void defaultsFollowWhatIsGiven() {
    Shape shape = Shapes.of(Input.NODES, 5_000);
    assertThat(shape.pods()).isEqualTo(150_000);
    // SIG-scalability's limit for this size is 20 a second, its number of Services 10,000.
    assertThat(shape.number(Input.POD_CHURN)).isBetween(20.0, 21.0);
    assertThat(shape.number(Input.SERVICES)).isEqualTo(10_000);
    assertThat(shape.with(Input.POD_CHURN, "3").number(Input.POD_CHURN)).isEqualTo(3);
  }

  @Test
  void quantitiesAreKubernetesOwn() {
    assertThat(Bytes.parse("64Gi")).isEqualTo(64 * Bytes.GIB);
    assertThat(Bytes.parse("1.5G")).isEqualTo(1.5e9);
    assertThat(Bytes.parse("500k")).isEqualTo(500e3);
    assertThat(Bytes.parse("4e9")).isEqualTo(4e9);
    assertThat(Bytes.parse("4E+9")).isEqualTo(4e9);
    assertThat(Bytes.parse("4E")).isEqualTo(4e18);
    assertThat(Bytes.parse("+.5Ti")).isEqualTo(512 * Bytes.GIB);
    assertThat(Bytes.parse("8.Gi")).isEqualTo(8 * Bytes.GIB);
    assertThat(Bytes.text(1.5 * Bytes.GIB)).isEqualTo("1.5 GiB");
  }

  /** As the vertical pod autoscaler writes limits into the pods of control planes. */
  @Test
  void thousandthsOfBytesAreAQuantity() {
    Shape shape = Shapes.of(Input.APISERVER_MEMORY, "4294967296000m");
    assertThat(shape.number(Input.APISERVER_MEMORY)).isEqualTo(4 * Bytes.GIB);
  }
}
