// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The last template that settled is kept beside the one that is wanted. */
class SettledTest {
  private static final String NAME = "Deployment/d";
  private static final String DATA = "exaplane.io/store-data";
  private Optional<ConfigMap> kept = Optional.empty();

  private static PodTemplateSpec template(String flag, String data) {
    return new PodTemplateSpecBuilder()
        .withNewMetadata()
        .addToAnnotations(DATA, data)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("c")
        .withCommand("server", flag)
        .endContainer()
        .endSpec()
        .build();
  }

  /** One pass; whether the template settled meanwhile is told at its end. */
  private Pins pass(PodTemplateSpec rendered, boolean settled) {
    Pins pins =
        new Pins(
            new Pins.Owner("1-a", null, MaintenanceWindow.NONE, "1-a", "m", "d-bundle"),
            kept,
            Map.of("s", "s"));
    pins.apply(NAME, rendered, Optional::empty, false, () -> rendered);
    if (settled) {
      pins.settle(NAME);
    }
    kept = Optional.of(BundleMap.of("d-bundle", "ns", Map.of(), pins.kept("1-a")));
    return pins;
  }

  private static Optional<PodTemplateSpec> last(Pins pins) {
    return pins.settled(NAME, PodTemplateSpec.class).map(Pins.Settled::template);
  }

  @Test
  void whatSettledOutlivesWhatDidNot() {
    assertThat(last(pass(template("--v=1", "d"), false))).as("nothing has settled").isEmpty();
    Pins first = pass(template("--v=1", "d"), true);
    assertThat(last(first)).as("the same one").isEmpty();
    for (String bad : List.of("--bad=1", "--bad=2", "--bad=2")) {
      Pins pins = pass(template(bad, "d"), false);
      assertThat(last(pins)).as(bad).contains(template("--v=1", "d"));
      assertThat(pins.settled(NAME, PodTemplateSpec.class).orElseThrow().id())
          .isEqualTo(first.id(NAME))
          .isNotEqualTo(pins.id(NAME));
    }
    assertThat(last(pass(template("--bad=2", "e"), false)))
        .as("with the facts of now")
        .contains(template("--v=1", "e"));
    assertThat(last(pass(template("--bad=2", "e"), true))).as("it settled after all").isEmpty();
    assertThat(last(pass(template("--v=3", "e"), false))).contains(template("--bad=2", "e"));
  }

  /** A step is flags, too: a template that has its fact without these would be another one. */
  @Test
  void aStepOfARotationIsLeftOutOfATemplateThatSettledBeforeIt() {
    pass(rotated(template("--v=1", "d"), "ca-1"), true);
    Pins pins = pass(rotated(template("--bad=1", "e"), "ca-2"), false);
    assertThat(last(pins))
        .as("the step of before, with the other facts of now")
        .contains(rotated(template("--v=1", "e"), "ca-1"));
    pass(rotated(template("--v=2", "e"), "ca-2"), true);
    assertThat(last(pass(rotated(template("--bad=2", "e"), "ca-2"), false)))
        .as("what settled in the step has it")
        .contains(rotated(template("--v=2", "e"), "ca-2"));
  }

  private static PodTemplateSpec rotated(PodTemplateSpec template, String step) {
    return new PodTemplateSpecBuilder(template)
        .editMetadata()
        .addToAnnotations("exaplane.io/rotation", step)
        .endMetadata()
        .build();
  }

  @Test
  void twoPassesWriteTheSame() {
    pass(template("--v=1", "d"), true);
    pass(template("--v=2", "d"), false);
    Optional<ConfigMap> before = kept;
    pass(template("--v=2", "d"), false);
    assertThat(kept).isEqualTo(before);
  }
}
