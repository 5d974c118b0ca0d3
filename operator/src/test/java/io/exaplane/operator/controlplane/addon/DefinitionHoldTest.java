// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.pace.NewDefinitions;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ServerLoad;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sources with definitions for which a kube-apiserver has too little memory. */
class DefinitionHoldTest extends AddonRoundsBed {
  private static final double MIB = 1 << 20;
  private static final String SOURCE = "{name: a, configMap: {name: m}}";

  @BeforeEach
  void file() {
    files.put("m", Map.of("a.yaml", MAP.formatted("m")));
  }

  private static Optional<NewDefinitions> many(double liveMib, double limitMib) {
    return many(liveMib, limitMib, -1);
  }

  /** 200 of 60 fields take about 155 MiB. */
  private static Optional<NewDefinitions> many(
      double liveMib, double limitMib, double collections) {
    String schema = "\"x\":\"" + "z".repeat(7_300) + "\"";
    Manifest one =
        AddonContents.of(
                Map.of(
                    "a.yaml",
                    "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\",\"metadata\":{\"name\":\"as.e.org\"},\"spec\":{\"group\":\"e.org\",\"names\":{\"kind\":\"A\"},\"versions\":[{\"name\":\"v1\",\"served\":true,\"schema\":{%s}}]}}"
                        .formatted(schema)))
            .reading()
            .manifests()
            .getFirst();
    return Optional.of(
        new NewDefinitions(
            Collections.nCopies(200, one),
            new ServerLoad(liveMib * MIB, -1, limitMib * MIB, -1, -1, -1, -1, collections)));
  }

  private void now(Optional<NewDefinitions> added) {
    this.added = added;
    engines.forEach(engine -> engine.added = added);
  }

  @Test
  void theyHoldTheirSourceAndNoOtherUntilThereIsRoom() throws Exception {
    now(many(400, 544));
    addons(SOURCE + ", " + inline("b", "m2").replace("name: b,", "name: b, acceptMemory: true,"));
    Map<String, AddonStatus> told = go();
    assertThat(told.get("b").ready()).as("the other source goes on").isTrue();
    AddonStatus status = told.get("a");
    assertThat(status.ready()).isFalse();
    assertThat(status.reason()).isEqualTo(Reason.DefinitionsDoNotFit.name());
    assertThat(status.message())
        .contains("200 new definitions take about", "which is 400 MiB of at most 416 MiB")
        .contains("No action is needed for 5 minutes", "acceptMemory");
    assertThat(status.inventory()).isNull();
    assertThat(engines).noneMatch(engine -> engine.wanted.containsKey("exaplane-addon-a"));
    now(many(420, 544));
    wait(Duration.ofSeconds(31));
    assertThat(pass().get("a")).as("a heap that breathes is no news").isEqualTo(status);
    now(many(100, 544));
    assertThat(go().get("a").reason())
        .as("the next look comes after 30 s")
        .isEqualTo(Reason.DefinitionsDoNotFit.name());
    wait(Duration.ofSeconds(31));
    assertThat(go().get("a").ready()).isTrue();
  }

  /** Each collection finds the same alive: then a person must act, and is told once. */
  @Test
  void aHeapThatStaysIsSaidOnce() throws Exception {
    now(many(400, 544, 7));
    addons(SOURCE);
    assertThat(go().get("a").message()).contains("No action is needed for 5 minutes");
    now(many(400, 544, 8));
    wait(Duration.ofSeconds(61));
    assertThat(pass().get("a").message()).as("one collection").contains("No action is needed");
    now(many(400, 544, 9));
    wait(Duration.ofSeconds(31));
    AddonStatus last = pass().get("a");
    assertThat(last.message())
        .contains("which is 400 MiB of at most 416 MiB", "memory limit of 1")
        .contains("spec.apiServer.resources", "acceptMemory")
        .doesNotContain("No action is needed");
    now(many(395, 544, 10));
    wait(Duration.ofSeconds(31));
    assertThat(pass().get("a")).as("the same verdict").isEqualTo(last);
    now(many(250, 544, 11));
    wait(Duration.ofSeconds(31));
    assertThat(go().get("a").ready()).isTrue();
  }

  @Test
  void nobodyWaitsForWhatNoCollectionHelps() throws Exception {
    now(many(400, 160));
    addons(SOURCE);
    assertThat(go().get("a").message())
        .contains("memory limit of", "spec.apiServer.resources")
        .doesNotContain("No action is needed");
  }

  @Test
  void aNewRevisionIsLookedAtAtOnceAndTheFormerObjectsStay() throws Exception {
    addons(SOURCE);
    assertThat(go().get("a").ready()).isTrue();
    now(many(400, 544));
    files.put("m", Map.of("a.yaml", MAP.formatted("other")));
    watcher.run();
    assertThat(go().get("a").reason()).isEqualTo(Reason.DefinitionsDoNotFit.name());
    assertThat(engines.getFirst().wanted.get("exaplane-addon-a").getFirst().key().name())
        .isEqualTo("m");
    now(Optional.empty());
    files.put("m", Map.of("a.yaml", MAP.formatted("third")));
    watcher.run();
    assertThat(go().get("a").ready()).isTrue();
  }

  @Test
  void theSpecCanAcceptThat() throws Exception {
    now(many(400, 544));
    addons(SOURCE);
    go();
    addons("{name: a, configMap: {name: m}, acceptMemory: true}");
    assertThat(go().get("a").ready()).isTrue();
  }

  @Test
  void whatFitsOrIsUnknownIsHandedAtOnce() throws Exception {
    for (Optional<NewDefinitions> one : List.of(many(100, 544), many(400, -1))) {
      now(one);
      addons(SOURCE);
      assertThat(go().get("a").ready()).isTrue();
      addons("");
      go();
      rounds = rounds();
    }
  }

  @Test
  void anApiThatDoesNotAnswerHoldsNothing() throws Exception {
    silence = Optional.of(new Failure(503, "ServiceUnavailable", "no", 0, false, List.of()));
    addons(SOURCE);
    assertThat(go().get("a").ready()).isTrue();
  }
}
