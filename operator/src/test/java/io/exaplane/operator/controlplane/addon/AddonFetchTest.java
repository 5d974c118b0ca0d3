// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sources that are fetched, and fields that are left to others. */
class AddonFetchTest extends AddonRoundsBed {
  @Test
  void ignoredFieldsAreNotHandedAndNewRulesAreTold() throws Exception {
    String text = inline("a", "m").replace("default}\\n", "default}\\ndata: {x: y}\\n");
    addons(text);
    go();
    FakeEngine engine = engines.getFirst();
    assertThat(engine.wanted.get("exaplane-addon-a").getFirst().ignored()).isEmpty();
    addons(
        text.replace(
            "name: a,",
            "name: a, ignoreDifferences: [{kind: ConfigMap, jsonPointers: [/data/x]}],"));
    assertThat(go().get("a").ready()).isTrue();
    assertThat(engine.wanted.get("exaplane-addon-a").getFirst())
        .satisfies(
            one -> {
              assertThat(one.ignored()).containsExactly("/data/x");
              assertThat(new String(one.body(), StandardCharsets.UTF_8)).doesNotContain("\"data\"");
            });
  }

  @Test
  void aFetchedSourceIsAppliedAndAskedAgain() throws Exception {
    places.put("r/a:v1", "r1" + MAP.formatted("m"));
    addons("{name: a, oci: {reference: 'r/a:v1'}}");
    AddonStatus status = go().get("a");
    assertThat(status.ready()).as("%s", status).isTrue();
    assertThat(status.fetchedRevision()).isEqualTo("r1");
    assertThat(fetches).containsExactly("r/a:v1 ");
    wait(Duration.ofMinutes(8));
    assertThat(fetches).hasSize(1);
    wait(Duration.ofMinutes(4));
    wait(Duration.ofSeconds(1));
    assertThat(fetches).containsExactly("r/a:v1 ", "r/a:v1 r1");
    assertThat(engines.getFirst().told).as("nothing changed").hasSize(1);
    places.put("r/a:v1", "r2" + MAP.formatted("other"));
    wait(Duration.ofMinutes(12));
    wait(Duration.ofSeconds(1));
    assertThat(go().get("a").fetchedRevision()).isEqualTo("r2");
    assertThat(engines.getFirst().wanted.get("exaplane-addon-a").getFirst().key().name())
        .isEqualTo("other");
  }

  @Test
  void anotherPlaceIsNotReadyBeforeItWasRead() throws Exception {
    places.put("r/a:v1", "r1" + MAP.formatted("m"));
    places.put("r/a:v2", SLOW);
    addons("{name: a, oci: {reference: 'r/a:v1'}}");
    go();
    FakeEngine engine = engines.getFirst();
    String both =
        "{name: a, oci: {reference: 'r/a:v2'}}, %s"
            .formatted(inline("b", "other").replace("name: b,", "name: b, dependsOn: [a],"));
    addons(both);
    AddonStatus status = go().get("a");
    assertThat(status.ready()).as("%s", status).isFalse();
    assertThat(status.message()).contains("fetches the source");
    assertThat(engine.wanted).as("b waits for the new a").containsOnlyKeys("exaplane-addon-a");
    places.put("r/a:v2", "r2" + MAP.formatted("new"));
    assertThat(go().get("a").ready()).isTrue();
    assertThat(go().get("b").ready()).isTrue();
    addons(both.replace(":v2", ":v3"));
    AddonStatus away = go().get("a");
    assertThat(away.reason()).isEqualTo(Reason.AddonSourceUnreadable.name());
    assertThat(away.message()).contains("r/a:v3 is away", "had before stay").doesNotContain("()");
  }

  @Test
  void anOperatorThatBeginsDoesNotCallAnotherPlaceReady() throws Exception {
    places.put("r/a:v1", "r1" + MAP.formatted("m"));
    places.put("r/a:v2", SLOW);
    addons("{name: a, oci: {reference: 'r/a:v1'}}");
    assertThat(go().get("a").ready()).isTrue();
    rounds = rounds();
    engines.clear();
    addons("{name: a, oci: {reference: 'r/a:v2'}}");
    controlPlane.getMetadata().setGeneration(7L);
    AddonStatus status = go().get("a");
    assertThat(status.ready()).as("%s", status).isFalse();
    assertThat(status.observedGeneration()).isEqualTo(7);
  }

  /** One commit changes definitions, and objects that need the new ones. */
  @Test
  void newsWaitForThoseOfTheSourceThatComesFirst() throws Exception {
    places.put("r/a:v1", "r1" + MAP.formatted("a"));
    places.put("r/b:v1", "r1" + MAP.formatted("b"));
    addons(
        "{name: a, oci: {reference: 'r/a:v1'}, interval: 24h}, {name: b, oci: {reference: 'r/b:v1'}, dependsOn: [a], interval: 1m}");
    go();
    assertThat(go().get("b").ready()).isTrue();
    places.put("r/a:v1", "r2" + MAP.formatted("a") + "---\n" + MAP.formatted("a2"));
    places.put("r/b:v1", "r2" + MAP.formatted("b") + "---\n" + MAP.formatted("b2"));
    for (int i = 0; i < 12; i++) {
      wait(Duration.ofSeconds(20));
    }
    assertThat(sizes()).contains("exaplane-addon-b 2");
    assertThat(sizes().indexOf("exaplane-addon-a 2"))
        .isNotNegative()
        .isLessThan(sizes().indexOf("exaplane-addon-b 2"));
  }

  @Test
  void aRegistryThatIsAwayHoldsNobodyUp() throws Exception {
    places.put("r/a:v1", "r1" + MAP.formatted("a"));
    String both =
        "{name: a, oci: {reference: 'r/a:v1'}, interval: 24h}, %s"
            .formatted(inline("b", "m").replace("name: b,", "name: b, dependsOn: [a],"));
    addons(both);
    go();
    places.clear();
    addons(both.replace("{name: m, namespace", "{name: m2, namespace"));
    go();
    assertThat(engines.getFirst().wanted.get("exaplane-addon-b").getFirst().key().name())
        .isEqualTo("m2");
  }

  @Test
  void newsOfConfigMapsWaitToo() throws Exception {
    files.put("a", Map.of("x.yaml", MAP.formatted("a")));
    files.put("b", Map.of("x.yaml", MAP.formatted("b")));
    addons("{name: a, configMap: {name: a}}, {name: b, configMap: {name: b}, dependsOn: [a]}");
    go();
    assertThat(go().get("b").ready()).isTrue();
    files.put("a", Map.of("x.yaml", MAP.formatted("a"), "y.yaml", MAP.formatted("a2")));
    files.put("b", Map.of("x.yaml", MAP.formatted("b"), "y.yaml", MAP.formatted("b2")));
    watchers.forEach(Runnable::run);
    for (int i = 0; i < 4; i++) {
      wait(Duration.ofSeconds(2));
    }
    assertThat(sizes()).contains("exaplane-addon-b 2");
    assertThat(sizes().indexOf("exaplane-addon-a 2"))
        .isNotNegative()
        .isLessThan(sizes().indexOf("exaplane-addon-b 2"));
  }

  /** What the engine was told, without whether it may delete. */
  private List<String> sizes() {
    return engines.getFirst().told.stream().map(one -> one.replaceFirst(" \\w+$", "")).toList();
  }

  @Test
  void aPauseDoesNotBringTheFormerPlaceBack() throws Exception {
    places.put("r/a:v1", "r1" + MAP.formatted("bad"));
    places.put("r/a:v2", SLOW);
    addons("{name: a, oci: {reference: 'r/a:v1'}}");
    go();
    addons("{name: a, paused: true, oci: {reference: 'r/a:v2'}}");
    go();
    addons("{name: a, oci: {reference: 'r/a:v2'}}");
    go();
    assertThat(engines).hasSize(1);
    assertThat(engines.getFirst().told).hasSize(1);
    places.put("r/a:v2", "r2" + MAP.formatted("good"));
    assertThat(go().get("a").ready()).isTrue();
    assertThat(engines.getLast().wanted.get("exaplane-addon-a").getFirst().key().name())
        .isEqualTo("good");
  }

  @Test
  void theLastGoodRevisionStaysWhenARegistryIsAway() throws Exception {
    places.put("r/a:v1", "r1" + MAP.formatted("m"));
    addons("{name: a, oci: {reference: 'r/a:v1'}, interval: 30s}");
    go();
    places.clear();
    wait(Duration.ofSeconds(40));
    Instant missed = now;
    for (int i = 0; i < 8; i++) {
      wait(Duration.ofSeconds(20));
    }
    AddonStatus away = go().get("a");
    assertThat(away.reason()).isEqualTo(Reason.AddonSourceUnreadable.name());
    assertThat(away.message()).contains("r/a:v1 is away", "(r1) stay applied");
    assertThat(away.unreadableSince()).isNotNull();
    assertThat(Instant.parse(away.unreadableSince())).isBetween(missed, missed.plusSeconds(40));
    assertThat(engines.getFirst().wanted.get("exaplane-addon-a")).hasSize(1);
    rounds = rounds();
    engines.clear();
    AddonStatus later = go().get("a");
    assertThat(later.unreadableSince()).isEqualTo(away.unreadableSince());
    assertThat(later.message()).contains("stay; changes of them are not put right");
    assertThat(later.fetchedRevision()).isEqualTo("r1");
    assertThat(engines).isEmpty();
    places.put("r/a:v1", "r1" + MAP.formatted("m"));
    wait(Duration.ofSeconds(40));
    AddonStatus back = go().get("a");
    assertThat(back.ready()).isTrue();
    assertThat(back.unreadableSince()).isNull();
  }

  @Test
  void sourcesOfOneCommitAreAskedTogetherBeforeAnythingIsDeleted() throws Exception {
    String both = MAP.formatted("stays") + "---\n" + MAP.formatted("moves");
    places.put("r/a:v1", "r1" + both);
    places.put("r/b:v1", "r1" + MAP.formatted("other"));
    addons(
        "{name: a, oci: {reference: 'r/a:v1'}, interval: 1m}, {name: b, oci: {reference: 'r/b:v1'}, interval: 24h}");
    go();
    places.put("r/a:v1", "r2" + MAP.formatted("stays"));
    places.put("r/b:v1", "r2" + both.replace("stays", "other"));
    for (int i = 0; i < 6; i++) {
      wait(Duration.ofSeconds(20));
    }
    wait(AddonTrack.GRACE);
    assertThat(engines.getFirst().told)
        .containsSubsequence("exaplane-addon-b 2 false", "exaplane-addon-a 1 true");
  }
}
