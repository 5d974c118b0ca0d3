// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.api.v1alpha1.Reason;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A new operator changes nothing by itself, and what the user changes is carried out. */
class PinsTest {
  private static final String NAME = "Deployment/d";

  /** A user's wishes: what an operator renders templates from. */
  private record Wishes(String image, List<String> flags, String memory, String restartedAt) {}

  private Optional<ConfigMap> kept = Optional.empty();
  private Optional<Deployment> live = Optional.empty();
  private String told;
  private Pins pins;

  /** What one operator renders. */
  private static PodTemplateSpec render(Wishes wishes) {
    return new PodTemplateSpecBuilder()
        .withNewMetadata()
        .addToAnnotations("exaplane.io/restarted-at", wishes.restartedAt)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("c")
        .withImage(wishes.image)
        .withCommand(wishes.flags)
        .withNewResources()
        .addToRequests("memory", new Quantity(wishes.memory))
        .endResources()
        .endContainer()
        .endSpec()
        .build();
  }

  /** What another one renders: another flag, resource and image, and a container more. */
  private static PodTemplateSpec renderOtherwise(Wishes wishes) {
    List<String> flags = new ArrayList<>(wishes.flags);
    flags.add(1, "--of-the-new-operator=yes");
    return new PodTemplateSpecBuilder(
            render(new Wishes(wishes.image, flags, wishes.memory, wishes.restartedAt)))
        .editSpec()
        .addNewInitContainer()
        .withName("wait")
        .withImage("operator:2")
        .endInitContainer()
        .editFirstContainer()
        .editResources()
        .addToRequests("cpu", new Quantity("2"))
        .endResources()
        .endContainer()
        .endSpec()
        .build();
  }

  private PodTemplateSpec pass(String running, String asked, Wishes wishes) {
    boolean other = running.startsWith("2");
    pins =
        new Pins(
            new Pins.Owner(running, asked, MaintenanceWindow.NONE, told, "m", "d-bundle"),
            kept,
            wishes);
    PodTemplateSpec applied =
        pins.apply(
            NAME,
            other ? renderOtherwise(wishes) : render(wishes),
            () -> live.map(seen -> new Pins.Live(seen, "template", null)),
            pins.isMoving(),
            () -> {
              Wishes former = pins.formerSpec(Wishes.class).orElse(wishes);
              return other ? renderOtherwise(former) : render(former);
            });
    told = pins.moved();
    kept = Optional.of(BundleMap.of("d-bundle", "ns", Map.of(), pins.kept(told)));
    return applied;
  }

  private static Wishes wishes() {
    return new Wishes("k:1", List.of("k", "--a=1", "--b=1"), "1Gi", null);
  }

  /** Most passes of a fleet are such ones: objects and texts of before are made once. */
  @Test
  void aPassThatChangesNothingMakesNoSecondObjectAndNoOtherText() {
    pass("1-a", null, wishes());
    String text = kept.orElseThrow().getBinaryData().get(Pins.RECORD);
    PodTemplateSpec applied = pass("1-a", null, wishes());
    assertThat(kept.orElseThrow().getBinaryData().get(Pins.RECORD)).isSameAs(text);
    assertThat(pins.kept(NAME, PodTemplateSpec.class).orElseThrow()).isSameAs(applied);
    assertThat(pins.waiting(NAME, render(wishes()), applied)).isSameAs(applied);

    Wishes others = new Wishes("k:2", wishes().flags(), "1Gi", null);
    PodTemplateSpec changed = pass("1-a", null, others);
    PodTemplateSpec waiting = pins.waiting(NAME, render(others), changed);
    assertThat(waiting).isEqualTo(applied).isNotEqualTo(changed);
    pins.hold(NAME, render(others));
    assertThat(pins.waiting(NAME, render(others), changed)).isEqualTo(applied);
    assertThat(kept.orElseThrow().getBinaryData().get(Pins.RECORD)).isNotEqualTo(text);
  }

  @Test
  void aNewOperatorChangesNothingUntilItIsAsked() {
    PodTemplateSpec made = pass("1-a", null, wishes());
    assertThat(pins.update().verdict().met()).isFalse();
    ConfigMap before = kept.orElseThrow();
    assertThat(pass("1-a", null, wishes())).isEqualTo(made);
    assertThat(kept).as("a second pass writes nothing").contains(before);

    assertThat(pass("2-b", null, wishes())).isEqualTo(made);
    assertThat(pins.update().verdict())
        .satisfies(
            verdict -> {
              assertThat(verdict.met()).isTrue();
              assertThat(verdict.reason()).isEqualTo(Reason.OperatorUpdatePending);
              assertThat(verdict.message()).contains("1-a", "2-b", "d-bundle", NAME);
            });
    assertThat(told).isEqualTo("1-a");
    String diff = kept.orElseThrow().getData().get("diff");
    assertThat(diff.lines().filter(line -> line.startsWith("+") || line.startsWith("-")))
        .as("exactly the difference")
        .containsExactly(
            "--- LIVE/Deployment.d",
            "+++ MERGED/Deployment.d",
            "+    - \"--of-the-new-operator=yes\"",
            "+        cpu: \"2\"",
            "+  initContainers:",
            "+  - image: \"operator:2\"",
            "+    name: \"wait\"");
    ConfigMap pending = kept.orElseThrow();
    assertThat(pass("2-b", "1-a", wishes())).as("its own bundle may be named").isEqualTo(made);
    assertThat(kept).contains(pending);

    assertThat(pass("2-b", "2-b", wishes())).isEqualTo(renderOtherwise(wishes()));
    assertThat(told).isEqualTo("2-b");
    assertThat(kept.orElseThrow().getData()).as("nothing is pending").isEmpty();
    assertThat(pins.update().verdict().met()).isFalse();
    assertThat(pass("2-b", null, wishes())).isEqualTo(renderOtherwise(wishes()));
  }

  @Test
  void aBundleThatNobodyRendersIsRefused() {
    pass("1-a", null, wishes());
    PodTemplateSpec now = pass("2-b", "2-b", wishes());
    assertThat(pass("2-b", "1-a", wishes())).isEqualTo(now);
    assertThat(pins.update().problem().orElseThrow().reason()).isEqualTo(Reason.UnsupportedBundle);
    assertThat(pins.update().problem().orElseThrow().message())
        .contains("spec.rollout.bundle 1-a", "renders only 2-b", "Set one of");
  }

  /** Whatever the user changes, and whenever the operator is replaced meanwhile. */
  @RepeatedTest(100)
  void changesOfTheUserAreCarriedOutAndNothingElse(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    Wishes wishes = wishes();
    pass("1-a", null, wishes);
    String running = "1-a";
    for (int step = 0; step < 12; step++) {
      if (random.nextInt(3) == 0) {
        running = random.nextBoolean() ? "1-a" : "2-" + random.nextInt(3);
      }
      wishes = changed(wishes, random);
      PodTemplateSpec applied = pass(running, null, wishes);
      assertThat(Trees.of(applied))
          .as("step %d of %s", step, repetition)
          .isEqualTo(Trees.of(render(wishes)));
      assertThat(told).isEqualTo("1-a");
      assertThat(pins.pending().isEmpty()).isEqualTo(running.startsWith("1"));
    }
  }

  private static Wishes changed(Wishes wishes, Random random) {
    List<String> flags = new ArrayList<>(wishes.flags);
    return switch (random.nextInt(6)) {
      case 0 -> new Wishes("k:" + random.nextInt(9), flags, wishes.memory, wishes.restartedAt);
      case 1 -> {
        flags.set(1, "--a=" + random.nextInt(9));
        yield new Wishes(wishes.image, flags, wishes.memory, wishes.restartedAt);
      }
      case 2 -> {
        if (flags.removeIf(flag -> flag.startsWith("--c"))) {
          yield new Wishes(wishes.image, flags, wishes.memory, wishes.restartedAt);
        }
        flags.add("--c=" + random.nextInt(9));
        yield new Wishes(wishes.image, flags, wishes.memory, wishes.restartedAt);
      }
      case 3 -> new Wishes(wishes.image, flags, random.nextInt(1, 9) + "Gi", wishes.restartedAt);
      case 4 -> new Wishes(wishes.image, flags, wishes.memory, "t" + random.nextInt(9));
      default -> wishes;
    };
  }

  /** An object from before anybody pinned, as an API server shows it. */
  private static Deployment seen(PodTemplateSpec template, String manager) {
    FieldsV1 fields = new FieldsV1();
    fields.setAdditionalProperty(
        "f:spec", Map.of("f:template", Map.of("f:spec", Map.of("f:containers", containers()))));
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("d")
        .withManagedFields(
            new ManagedFieldsEntryBuilder()
                .withManager(manager)
                .withOperation("Apply")
                .withFieldsV1(fields)
                .build())
        .endMetadata()
        .withNewSpec()
        .withTemplate(
            new PodTemplateSpecBuilder(template)
                .editSpec()
                .withRestartPolicy("Always")
                .editFirstContainer()
                .withTerminationMessagePath("/dev/termination-log")
                .editResources()
                .addToRequests("memory", new Quantity("1024Mi"))
                .endResources()
                .endContainer()
                .endSpec()
                .build())
        .endSpec()
        .build();
  }

  private static Map<String, Object> containers() {
    return Map.of(
        "k:{\"name\":\"c\"}",
        Map.of(
            ".", Map.of(),
            "f:name", Map.of(),
            "f:image", Map.of(),
            "f:command", Map.of(),
            "f:resources", Map.of("f:requests", Map.of("f:memory", Map.of()))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"m", "velero"})
  void whatWasMadeBeforeAnybodyPinnedStaysAsItIs(String manager) {
    Wishes plain = new Wishes("k:1", List.of("k", "--a=1", "--b=1"), "1Gi", null);
    live = Optional.of(seen(render(plain), manager));
    JsonNode applied = Trees.of(pass("1-a", null, plain));
    assertThat(applied.path("spec")).isEqualTo(Trees.of(render(plain)).path("spec"));
    assertThat(pins.pending()).as("the same operator as it was").isEmpty();
    assertThat(told).isEqualTo("1-a");

    kept = Optional.empty();
    told = null;
    applied = Trees.of(pass("2-b", null, plain));
    assertThat(applied.path("spec")).isEqualTo(Trees.of(render(plain)).path("spec"));
    assertThat(pins.update().verdict().reason()).isEqualTo(Reason.OperatorUpdatePending);
    assertThat(told).as("not of the first that knows bundles").isEqualTo(Pins.UNRECORDED);
    assertThat(Trees.of(pass("2-b", Pins.UNRECORDED, plain))).isEqualTo(applied);
    assertThat(pins.update().problem()).isEmpty();
    assertThat(pass("2-b", "2-b", plain)).isEqualTo(renderOtherwise(plain));
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "empty", "no base64", "cut off", "other content"})
  void withoutARecordNothingRolls(String damage) throws Exception {
    pass("1-a", null, wishes());
    live = Optional.of(seen(render(wishes()), "m"));
    ConfigMap map = new KubernetesSerialization().clone(kept.orElseThrow());
    String record = map.getBinaryData().get(Pins.RECORD);
    switch (damage) {
      case "missing" -> {}
      case "empty" -> map.setBinaryData(null);
      case "no base64" -> map.getBinaryData().put(Pins.RECORD, "%%");
      case "cut off" -> map.getBinaryData().put(Pins.RECORD, record.substring(0, 40));
      default -> map.getBinaryData().put(Pins.RECORD, "e30=");
    }
    kept = damage.equals("missing") ? Optional.empty() : Optional.of(map);
    JsonNode applied = Trees.of(pass("2-b", null, wishes()));
    assertThat(applied.path("spec")).isEqualTo(Trees.of(render(wishes())).path("spec"));
    for (int look = 0; look < 2; look++) {
      assertThat(pins.update().verdict().reason()).isEqualTo(Reason.BundleRecordDamaged);
      assertThat(pins.update().verdict().message()).contains("was missing or damaged", "2-b");
      pass("2-b", null, wishes());
    }
    pass("2-b", "2-b", wishes());
    assertThat(pins.update().verdict().met()).isFalse();
  }

  /** What is rendered may name a Secret, and never holds one. */
  @Test
  void theRecordIsTheSameForTheSameContent() throws Exception {
    pass("1-a", null, wishes());
    PinRecord record =
        PinRecord.read(kept.orElseThrow().getBinaryData().get(Pins.RECORD)).orElseThrow();
    assertThat(record.write()).isEqualTo(kept.orElseThrow().getBinaryData().get(Pins.RECORD));
    assertThat(new JsonMapper().readTree(record.spec().toString()).path("image").asText())
        .isEqualTo("k:1");
  }
}
