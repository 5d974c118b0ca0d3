// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.apply.engine.Notice;
import io.exaplane.apply.manifest.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Objects that move between sources, and sources that are removed. */
class AddonMovesTest extends AddonRoundsBed {
  @Test
  void aRemovedSourceLosesItsObjects() throws Exception {
    addons(inline("a", "m") + ", " + inline("b", "m2"));
    go();
    addons(inline("a", "m"));
    FakeEngine engine = engines.getFirst();
    engine.idle = false;
    assertThat(go()).as("the status remembers a removal that is under way").containsKey("b");
    assertThat(engine.wanted).containsEntry("exaplane-addon-b", List.of());
    assertThat(engine.complete).containsEntry("exaplane-addon-b", true);
    assertThat(engine.forgotten).isEmpty();
    engine.notices.add(
        new Notice(
            Notice.Kind.KEPT,
            "exaplane-addon-b",
            new ObjectKey("", "Namespace", "", "shop"),
            null,
            "x"));
    engine.idle = true;
    engine.events++;
    assertThat(go()).containsOnlyKeys("a");
    assertThat(engine.forgotten).containsExactly("exaplane-addon-b");
    assertThat(engine.closed).as("the other source goes on").isFalse();
    assertThat(news).hasSize(1);
    assertThat(news.getFirst().reason()).isEqualTo(Reason.AddonRemoved);
    assertThat(news.getFirst().message()).contains("shop");
  }

  @Test
  void anotherOperatorGoesOnWithARemoval() throws Exception {
    addons(inline("a", "m"));
    go();
    addons("");
    rounds = rounds();
    engines.clear();
    assertThat(go()).isEmpty();
    assertThat(engines.getFirst().wanted).containsEntry("exaplane-addon-a", List.of());
    assertThat(engines.getFirst().forgotten).containsExactly("exaplane-addon-a");
  }

  @Test
  void aRemovedSourceMayLeaveItsObjects() throws Exception {
    addons(inline("a", "m").replace("name: a,", "name: a, prune: Keep,"));
    go();
    addons("");
    assertThat(go()).isEmpty();
    assertThat(engines.getFirst().told)
        .as("nobody told the engine to delete")
        .containsExactly("exaplane-addon-a 1 true");
    assertThat(engines.getFirst().forgotten).isEmpty();
    assertThat(engines.getFirst().closed).isTrue();
    assertThat(news.getFirst().message()).contains("stay");
  }

  @Test
  void anObjectThatMovesIsHandedToItsNewSourceBeforeTheOtherMayDelete() throws Exception {
    addons(inlines("a", "m", "moves") + ", " + inlines("b", "stays"));
    go();
    FakeEngine engine = engines.getFirst();
    engine.told.clear();
    addons(inlines("a", "m") + ", " + inlines("b", "stays", "moves"));
    go();
    wait(AddonTrack.GRACE);
    assertThat(engine.told)
        .containsExactly(
            "exaplane-addon-a 1 false",
            "exaplane-addon-b 2 false",
            "exaplane-addon-a 1 true",
            "exaplane-addon-b 2 true");
  }

  @Test
  void twoMapsMayBeEditedOneAfterTheOther() throws Exception {
    String both = MAP.formatted("stays") + "---\n" + MAP.formatted("moves");
    files.put("m", Map.of("a.yaml", both));
    files.put("o", Map.of("a.yaml", MAP.formatted("other")));
    addons("{name: a, configMap: {name: m}}, {name: b, configMap: {name: o}}");
    go();
    FakeEngine engine = engines.getFirst();
    engine.told.clear();
    files.put("m", Map.of("a.yaml", MAP.formatted("stays")));
    wait(Duration.ofMinutes(11));
    wait(Duration.ofSeconds(1));
    assertThat(engine.told).containsExactly("exaplane-addon-a 1 false");
    files.put("o", Map.of("a.yaml", both.replace("stays", "other")));
    watcher.run();
    wait(Duration.ofSeconds(1));
    assertThat(engine.told)
        .contains("exaplane-addon-b 2 false")
        .doesNotContain("exaplane-addon-a 1 true");
    wait(AddonTrack.GRACE);
    assertThat(engine.told).contains("exaplane-addon-a 1 true");
    assertThat(pass().get("a").ready()).isTrue();
  }

  @Test
  void aSourceAloneDeletesAtOnce() throws Exception {
    addons(inlines("a", "m", "goes"));
    go();
    addons(inlines("a", "m"));
    go();
    assertThat(engines.getFirst().told).last().isEqualTo("exaplane-addon-a 1 true");
  }

  @Test
  void aRemovalWithoutItsInventoryIsToldAndNotGuessed() throws Exception {
    addons(inline("a", "m"));
    assertThat(go().get("a").inventory()).isEqualTo("kube-system/exaplane-addon-a");
    rounds = rounds();
    engines.clear();
    addons("");
    hasInventory = false;
    AddonStatus lost = go().get("a");
    assertThat(lost.reason()).isEqualTo(Reason.AddonFailed.name());
    assertThat(lost.message())
        .contains(
            "ConfigMap kube-system/exaplane-addon-a",
            "is gone",
            "applyset.kubernetes.io/part-of=applyset-",
            "prune: Keep");
    assertThat(engines.getFirst().forgotten).isEmpty();
    addons(inline("a", "m").replace("name: a,", "name: a, paused: true, prune: Keep,"));
    go();
    addons("");
    assertThat(go()).as("the next action of the message ends it").isEmpty();
  }

  @Test
  void anInventoryGoesAfterTheStatusSaysThatNothingIsLeft() throws Exception {
    addons(inline("a", "m"));
    go();
    addons("");
    pass();
    rounds.round();
    rounds.round();
    assertThat(engines.getFirst().forgotten).isEmpty();
    assertThat(pass().get("a").inventory()).isNull();
    pass();
    rounds.round();
    assertThat(engines.getFirst().forgotten).containsExactly("exaplane-addon-a");
    assertThat(pass()).isEmpty();
  }

  @Test
  void nothingIsDeletedBeforeTheStatusNamesANewSourceThatMayHaveIt() throws Exception {
    addons(inlines("a", "m", "moves"));
    go();
    FakeEngine engine = engines.getFirst();
    engine.told.clear();
    addons(inlines("a", "m") + ", " + inlines("b", "moves"));
    rounds.plan(AddonPlan.of(controlPlane));
    rounds.round();
    assertThat(engine.told).containsExactly("exaplane-addon-a 1 false");
    go();
    assertThat(engine.told)
        .containsExactly(
            "exaplane-addon-a 1 false", "exaplane-addon-b 1 true", "exaplane-addon-a 1 true");
  }

  @Test
  void aRemovalWaitsForSourcesThatCannotBeRead() throws Exception {
    addons(inlines("a", "moves"));
    go();
    FakeEngine engine = engines.getFirst();
    addons("{name: b, configMap: {name: m}}");
    AddonStatus waits = go().get("a");
    assertThat(engine.complete).containsEntry("exaplane-addon-a", false);
    assertThat(engine.forgotten).isEmpty();
    assertThat(waits.reason()).isEqualTo(Reason.AddonsApplying.name());
    assertThat(waits.message()).contains("Nothing is deleted yet", "objects: b.");
    files.put("m", Map.of("a.yaml", MAP.formatted("moves")));
    wait(Duration.ofSeconds(31));
    assertThat(go()).containsOnlyKeys("b");
    assertThat(engine.complete).containsEntry("exaplane-addon-a", true);
    assertThat(engine.forgotten).containsExactly("exaplane-addon-a");
  }

  @Test
  void aSourceThatIsAddedAgainLosesNothingMore() throws Exception {
    files.put("m", Map.of("a.yaml", MAP.formatted("m")));
    addons("{name: a, configMap: {name: m}}, " + inline("b", "m2"));
    go();
    addons(inline("b", "m2"));
    FakeEngine engine = engines.getFirst();
    engine.idle = false;
    go();
    assertThat(engine.wanted).containsEntry("exaplane-addon-a", List.of());
    files.clear();
    addons("{name: a, configMap: {name: m}}, " + inline("b", "m2"));
    assertThat(go().get("a").reason()).isEqualTo(Reason.AddonSourceUnreadable.name());
    assertThat(engine.dropped).as("nothing more is deleted").containsExactly("exaplane-addon-a");
    assertThat(engines.getLast().wanted).containsOnlyKeys("exaplane-addon-b");
  }

  @Test
  void aRemovalLeavesTheEngineOfOthersAlone() throws Exception {
    String respect = "name: %s, conflicts: Respect,";
    String b = inline("b", "m2").replace("name: b,", respect.formatted("b"));
    addons(inline("a", "m").replace("name: a,", respect.formatted("a")) + ", " + b);
    go();
    addons(b);
    assertThat(go()).containsOnlyKeys("b");
    assertThat(engines).hasSize(1);
    assertThat(engines.getFirst().closed).isFalse();
    assertThat(engines.getFirst().forgotten).containsExactly("exaplane-addon-a");
  }
}
