// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.tuning.discovery.Definitions;
import java.util.List;
import org.junit.jupiter.api.Test;

class DefinitionCostTest {
  private static final JsonMapper JSON = new JsonMapper();

  private static List<JsonNode> definitions(int count, int properties, int groups) {
    return Definitions.of(0, count, properties, groups).stream()
        .map(one -> JSON.<JsonNode>valueToTree(one))
        .toList();
  }

  @Test
  void countsWhatTheModelWasMeasuredWith() {
    DefinitionCost cost = DefinitionCost.of(definitions(300, 60, 30));
    assertThat(cost.definitions()).isEqualTo(300);
    assertThat(cost.groupVersions()).isEqualTo(30);
    assertThat(cost.properties()).as("60 fields and 'spec' each").isEqualTo(300 * 61);
    double kib = cost.schemaBytes() / 300 / Bytes.KIB;
    assertThat(kib).isBetween(6.0, 9.0);
    assertThat(cost.liveBytes()).isCloseTo(300 * (0.5 + 0.037 * kib) * Bytes.MIB, within(1.0));
  }

  @Test
  void aVersionThatIsNotServedTakesNothing() throws Exception {
    String version =
        "{\"name\":\"%s\",\"served\":%s,\"schema\":{\"openAPIV3Schema\":{\"properties\":{\"a\":{}}}}}";
    String both =
        "{\"spec\":{\"group\":\"e.org\",\"versions\":[%s,%s]}}"
            .formatted(version.formatted("v1", true), version.formatted("v2", "%s"));
    DefinitionCost one = DefinitionCost.of(List.of(JSON.readTree(both.formatted(false))));
    DefinitionCost two = DefinitionCost.of(List.of(JSON.readTree(both.formatted(true))));
    assertThat(one.groupVersions()).isEqualTo(1);
    assertThat(two.groupVersions()).isEqualTo(2);
    assertThat(two.schemaBytes()).isEqualTo(2 * one.schemaBytes());
    assertThat(one.liveBytes()).isBetween(0.5 * Bytes.MIB, 0.51 * Bytes.MIB);
    assertThat(two.liveBytes()).isBetween(0.83 * Bytes.MIB, 0.84 * Bytes.MIB);
  }

  @Test
  void saysWhichLimitTheyFitIn() {
    DefinitionCost cost = new DefinitionCost(2_000, 400, 0, 0, 1_000 * Bytes.MIB);
    assertThat(cost.limitBytes(300 * Bytes.MIB)).isEqualTo(2_048 * Bytes.MIB);
    assertThat(DefinitionCost.roomyHeap(0.85 * 2_048 * Bytes.MIB))
        .isCloseTo(1_331 * Bytes.MIB, within(Bytes.MIB));
    assertThat(DefinitionCost.of(List.of(JSON.createObjectNode())).groupVersions()).isZero();
  }
}
