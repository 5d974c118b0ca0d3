// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.check.ConfigurationCheck;
import io.exaplane.tuning.Tuning;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelTest {
  /** One run, and one more for each thing that makes it another question. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "maxNodes: 100                                                           | 1.36.3 | 1",
        "maxNodes: 100000                                                        | 1.36.3 | 1",
        "maxNodes: 100, apiServer: {tuning: {goawayChance: '0.01'}}              | 1.36.3 | 1",
        "maxNodes: 100                                                           | 1.35.0 | 2",
        "maxNodes: 100, apiServer: {tuning: {maxRequestsInflight: 700}}          | 1.36.3 | 2",
        "maxNodes: 100, apiServer: {replicas: 3}                                 | 1.36.3 | 2"
      })
  void isRunOnceInAPass(String spec, String running, int runs) {
    AtomicInteger asked = new AtomicInteger();
    Model model =
        new Model(
            shape -> {
              asked.incrementAndGet();
              return Tuning.of(shape, Model.MATRIX);
            });
    ControlPlane controlPlane = Fixtures.controlPlane("{version: 1.36.3, %s}".formatted(spec));

    assertThat(ConfigurationCheck.check(controlPlane.getSpec(), model)).isEmpty();
    Sized sized =
        Sized.of(
            controlPlane,
            true,
            false,
            new Sized.Before(
                List.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                () -> List.of(Sizes.LARGE),
                Optional::empty),
            Instant.EPOCH,
            model);
    for (int component = 0; component < 3; component++) {
      sized.template().orElseThrow().at(running);
    }
    TuningReport.forOperators(sized);
    SizingValidCondition.of(sized, "demo-tuning");

    assertThat(asked).hasValue(runs);
  }
}
