// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.apply.engine.Notice;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Health;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.status.News;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Sources of one control plane, from their files to the status, with engines that obey the test.
 * Longer than others: each test tells one history of the same rounds.
 */
class AddonRoundsTest {
  private static final String MAP =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: default}\n";

  private final ControlPlane controlPlane =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}");
  private final List<FakeEngine> engines = new ArrayList<>();
  private final Map<String, Map<String, String>> files = new HashMap<>();
  private final List<News> news = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private Health begin = Health.UNKNOWN;
  private int reads;
  private int changes;
  private boolean isSilent;
  private Runnable watcher = () -> {};
  private AddonRounds rounds = rounds();

  private AddonRounds rounds() {
    return new AddonRounds(
        key -> {
          FakeEngine engine = new FakeEngine(key);
          engine.health = begin;
          engines.add(engine);
          return engine;
        },
        new AddonReader() {
          @Override
          public Map<String, String> read(AddonSpec spec) throws Unreadable {
            reads++;
            if (spec.inline() != null) {
              return Map.of("inline.yaml", spec.inline());
            }
            String name = spec.secret() == null ? spec.configMap().name() : spec.secret().name();
            if (isSilent) {
              throw new Unreadable(
                  "configMap %s: no answer; the operator retries".formatted(name), true);
            }
            if (!files.containsKey(name)) {
              throw new Unreadable("configMap %s: does not exist; create it".formatted(name));
            }
            return files.get(name);
          }

          @Override
          public Watching watch(AddonSpec spec, Runnable changed) {
            watcher = changed;
            return NOTHING;
          }
        },
        () -> {},
        () -> changes++,
        news::add,
        new Clock() {
          @Override
          public Instant instant() {
            return now;
          }

          @Override
          public ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }
        });
  }

  /** What the spec asks for from now on. */
  private void addons(String yaml) {
    controlPlane.setSpec(
        Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10, addons: [%s]}".formatted(yaml))
            .getSpec());
  }

  /** What a pass of the reconciler does. */
  private Map<String, AddonStatus> pass() {
    AddonPlan plan = AddonPlan.of(controlPlane);
    rounds.plan(plan);
    List<AddonStatus> statuses =
        AddonReport.of(plan, rounds.reports()).stream()
            .filter(report -> !report.removed())
            .map(AddonReport::status)
            .toList();
    controlPlane.setStatus(
        Serialization.unmarshal("version: {current: 1.36.3}", ControlPlaneStatus.class)
            .withAddons(statuses));
    Map<String, AddonStatus> byName = new HashMap<>();
    statuses.forEach(one -> byName.put(one.name(), one));
    return byName;
  }

  /** Passes and rounds as they follow each other. */
  private Map<String, AddonStatus> go() throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      pass();
      rounds.round();
    }
    return pass();
  }

  private void wait(Duration time) throws InterruptedException {
    now = now.plus(time);
    rounds.round();
  }

  private static String inline(String name, String map) {
    return "{name: %s, inline: \"%s\"}".formatted(name, MAP.formatted(map).replace("\n", "\\n"));
  }

  @Test
  void aSourceIsAppliedAndTold() throws Exception {
    addons(inline("a", "m"));
    AddonStatus status = go().get("a");
    assertThat(status.ready()).as("%s", status).isTrue();
    assertThat(status.reason()).isEqualTo(Reason.AsExpected.name());
    assertThat(status.objects()).isEqualTo(1);
    assertThat(status.applied()).isEqualTo(1);
    assertThat(status.unchanged()).isZero();
    assertThat(status.revision()).hasSize(64).isEqualTo(status.appliedRevision());
    assertThat(engines).hasSize(1);
    assertThat(engines.getFirst().complete).containsEntry("exaplane-addon-a", true);
  }

  @Test
  void nothingIsAppliedBeforeTheStatusNamesTheSource() throws Exception {
    addons(inline("a", "m"));
    rounds.plan(AddonPlan.of(controlPlane));
    rounds.round();
    assertThat(engines).isEmpty();
    assertThat(go().get("a").ready()).isTrue();
  }

  @Test
  void whileNothingChangesNobodyIsAskedOrTold() throws Exception {
    files.put("m", Map.of("a.yaml", MAP.formatted("m")));
    addons("{name: a, configMap: {name: m}}");
    go();
    int looks = engines.getFirst().looks;
    int told = changes;
    int read = reads;
    for (int i = 0; i < 100; i++) {
      wait(Duration.ofSeconds(5));
    }
    assertThat(engines.getFirst().looks).isEqualTo(looks);
    assertThat(changes).isEqualTo(told);
    assertThat(reads).isEqualTo(read);
    wait(Duration.ofMinutes(2));
    assertThat(reads).as("the interval of ten minutes is over").isEqualTo(read + 1);
    files.put("m", Map.of("a.yaml", MAP.formatted("other")));
    watcher.run();
    wait(Duration.ofSeconds(1));
    assertThat(engines.getFirst().wanted.get("exaplane-addon-a").getFirst().key().name())
        .as("a watch brings a change at once")
        .isEqualTo("other");
  }

  @Test
  void aBadFileIsNamedAndStopsNothingElse() throws Exception {
    files.put("m", Map.of("a.yaml", MAP.formatted("m"), "b.yaml", "kind: [", "notes.txt", "x"));
    addons("{name: a, configMap: {name: m}}, " + inline("b", "m2"));
    Map<String, AddonStatus> told = go();
    AddonStatus status = told.get("a");
    assertThat(status.reason()).isEqualTo(Reason.AddonFailed.name());
    assertThat(status.failures()).hasSize(1);
    assertThat(status.failures().getFirst().file()).isEqualTo("b.yaml");
    assertThat(status.failures().getFirst().line()).isEqualTo(1);
    assertThat(engines.getFirst().wanted.get("exaplane-addon-a")).hasSize(1);
    assertThat(engines.getFirst().complete)
        .as("nothing is deleted while a file is bad")
        .containsEntry("exaplane-addon-a", false);
    assertThat(told.get("b").ready()).isTrue();
  }

  @Test
  void aSourceThatCannotBeReadKeepsWhatItHad() throws Exception {
    addons("{name: a, configMap: {name: m}}, " + inline("b", "m2"));
    Map<String, AddonStatus> told = go();
    assertThat(told.get("a").reason()).isEqualTo(Reason.AddonSourceUnreadable.name());
    assertThat(told.get("a").message()).contains("configMap m", "create it");
    assertThat(told.get("b").ready()).isTrue();
    files.put("m", Map.of("a.yaml", MAP.formatted("m")));
    wait(Duration.ofSeconds(31));
    assertThat(go().get("a").ready()).isTrue();
    files.put("m", Map.of("a.yaml", "# all gone"));
    watcher.run();
    assertThat(go().get("a").message()).contains("the files hold no object");
    assertThat(engines.getFirst().wanted.get("exaplane-addon-a"))
        .as("an empty file deletes nothing")
        .hasSize(1);
  }

  @Test
  void inventoriesAreNoObjects() throws Exception {
    addons(inline("a", "m") + ", " + inline("b", "exaplane-addon-a"));
    assertThat(go().get("b").message()).contains("must not begin with exaplane-addon-");
  }

  @Test
  void aSourceWaitsForThoseItDependsOn() throws Exception {
    begin = Health.IN_PROGRESS;
    addons(
        "%s, {name: b, dependsOn: [a], inline: \"%s\"}"
            .formatted(inline("a", "m"), MAP.formatted("m2").replace("\n", "\\n")));
    pass();
    pass();
    rounds.round();
    FakeEngine engine = engines.getFirst();
    wait(Duration.ofSeconds(1));
    assertThat(engine.wanted).containsOnlyKeys("exaplane-addon-a");
    assertThat(pass().get("b").message()).contains("waits for a");
    engine.now(Outcome.APPLIED, Health.CURRENT, "");
    assertThat(go().get("b").ready()).isTrue();
    assertThat(engine.wanted).containsKey("exaplane-addon-b");
  }

  @Test
  void aCycleIsNamedAndStopsNothingElse() throws Exception {
    addons(
        "{name: a, dependsOn: [b], inline: x}, {name: b, dependsOn: [c], inline: x},"
            + " {name: c, dependsOn: [a], inline: x}, "
            + inline("d", "m"));
    Map<String, AddonStatus> told = go();
    assertThat(told.get("a").reason()).isEqualTo(Reason.AddonCycle.name());
    assertThat(told.get("a").message()).contains("(a, b, c, a)");
    assertThat(told.get("d").ready()).isTrue();
    assertThat(engines.getFirst().wanted).containsOnlyKeys("exaplane-addon-d");
  }

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
    assertThat(engines.getFirst().wanted.get("exaplane-addon-a")).hasSize(1);
    assertThat(engines.getFirst().forgotten).isEmpty();
    assertThat(engines.getFirst().closed).isTrue();
    assertThat(news.getFirst().message()).contains("stay");
  }

  @Test
  void aPausedSourceIsLeftAloneAndOthersGoOn() throws Exception {
    addons(inline("a", "m") + ", " + inline("b", "m2"));
    go();
    addons(
        inline("a", "m").replace("name: a,", "name: a, paused: true,") + ", " + inline("b", "m2"));
    Map<String, AddonStatus> told = go();
    assertThat(told.get("a").reason()).isEqualTo(Reason.Paused.name());
    assertThat(told.get("b").ready()).isTrue();
    assertThat(engines.get(0).closed).isTrue();
    assertThat(engines.get(1).wanted).containsOnlyKeys("exaplane-addon-b");
    addons(inline("a", "m") + ", " + inline("b", "m2"));
    assertThat(go().get("a").ready()).isTrue();
  }

  @Test
  void sourcesOfOneKindShareAnEngine() throws Exception {
    addons(
        String.join(
            ", ",
            inline("a", "m"),
            inline("b", "m2"),
            inline("c", "o").replace("name: c,", "name: c, conflicts: Respect,"),
            inline("d", "p")
                .replace(
                    "name: d,", "name: d, serviceAccount: {namespace: team, name: deployer},")));
    go();
    assertThat(engines).hasSize(3);
    assertThat(engines.get(0).wanted).hasSize(2);
    assertThat(engines.get(1).key.force()).isFalse();
    assertThat(engines.get(2).key.account().orElseThrow().namespace()).isEqualTo("team");
  }

  @Test
  void afterARestartNothingIsToldUntilSomethingFails() throws Exception {
    addons(inline("a", "m"));
    AddonStatus before = go().get("a");
    rounds = rounds();
    engines.clear();
    pass();
    rounds.round();
    engines.getFirst().idle = false;
    engines.getFirst().now(Outcome.PENDING, Health.UNKNOWN, "");
    wait(Duration.ofSeconds(1));
    assertThat(pass().get("a")).isEqualTo(before);
    engines.getFirst().idle = true;
    engines.getFirst().now(Outcome.UNCHANGED, Health.UNKNOWN, "");
    assertThat(go().get("a"))
        .as("the numbers are those of the run that applied the revision")
        .isEqualTo(before);
    engines.getFirst().now(Outcome.FAILED, Health.UNKNOWN, "the server says 403");
    AddonStatus failed = go().get("a");
    assertThat(failed.reason()).isEqualTo(Reason.AddonFailed.name());
    assertThat(failed.failed()).isEqualTo(1);
    assertThat(failed.failures().getFirst().object()).contains("m");
    assertThat(failed.message()).contains("the server says 403", "inline.yaml:1");
  }

  @Test
  void whatIsNotHealthyInTimeFailed() throws Exception {
    begin = Health.IN_PROGRESS;
    addons(inline("a", "m"));
    pass();
    pass();
    rounds.round();
    assertThat(go().get("a").reason()).isEqualTo(Reason.AddonsApplying.name());
    wait(Duration.ofSeconds(301));
    AddonStatus status = go().get("a");
    assertThat(status.reason()).isEqualTo(Reason.AddonFailed.name());
    assertThat(status.message()).contains("in_progress");
  }

  @Test
  void aFightIsToldOfOnce() throws Exception {
    addons(inline("a", "m"));
    go();
    for (int i = 0; i < 3; i++) {
      engines
          .getFirst()
          .notices
          .add(
              new Notice(
                  Notice.Kind.CONTESTED,
                  "exaplane-addon-a",
                  new ObjectKey("", "ConfigMap", "default", "m"),
                  null,
                  "field .data.a is also set by manager x"));
      wait(Duration.ofSeconds(1));
    }
    assertThat(news).hasSize(1);
    assertThat(news.getFirst().reason()).isEqualTo(Reason.AddonContested);
    assertThat(news.getFirst().message()).contains("Add-on a", "manager x");
  }

  @Test
  void valuesOfSecretsAreNotShown() throws Exception {
    files.put("s", Map.of("a.yaml", "apiVersion: v1\nkind: 'hunter 2'\nmetadata: {name: x}\n"));
    addons("{name: a, secret: {name: s}}");
    AddonStatus status = go().get("a");
    assertThat(status.reason()).isEqualTo(Reason.AddonFailed.name());
    assertThat(status.toString()).contains("a.yaml").doesNotContain("hunter");
  }

  @Test
  void anEngineThatEndedIsReplaced() throws Exception {
    addons(inline("a", "m"));
    go();
    engines.getFirst().ended = true;
    rounds.round();
    wait(Duration.ofSeconds(2));
    assertThat(go().get("a").ready()).as("one fault is no news").isTrue();
    assertThat(engines).hasSize(2);
    rounds.end();
    assertThat(engines.get(1).closed).isTrue();
  }

  @Test
  void enginesThatEndAgainAndAgainBeginLaterAndAreTold() throws Exception {
    addons(inline("a", "m"));
    go();
    for (int i = 0; i < 300; i++) {
      engines.getLast().ended = true;
      wait(Duration.ofSeconds(1));
    }
    assertThat(engines).as("1, 2, 4 … 128 s after each other").hasSizeBetween(8, 10);
    AddonStatus status = pass().get("a");
    assertThat(status.reason()).isEqualTo(Reason.AddonFailed.name());
    assertThat(status.message()).contains("its own fault", "report the fault");
    wait(Duration.ofMinutes(6));
    assertThat(go().get("a").ready()).isTrue();
  }

  /** Two objects in one text, or one. */
  private static String inlines(String name, String... maps) {
    StringBuilder text = new StringBuilder();
    for (String map : maps) {
      text.append("---\n").append(MAP.formatted(map));
    }
    return "{name: %s, inline: \"%s\"}".formatted(name, text.toString().replace("\n", "\\n"));
  }

  @Test
  void anObjectThatMovesIsHandedToItsNewSourceBeforeTheOtherMayDelete() throws Exception {
    addons(inlines("a", "m", "moves") + ", " + inlines("b", "stays"));
    go();
    FakeEngine engine = engines.getFirst();
    engine.told.clear();
    addons(inlines("a", "m") + ", " + inlines("b", "stays", "moves"));
    go();
    assertThat(engine.told)
        .containsExactly(
            "exaplane-addon-a 1 false", "exaplane-addon-b 2 true", "exaplane-addon-a 1 true");
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
    assertThat(engine.closed).as("what deletes the objects ends").isTrue();
    assertThat(engines.getLast().wanted).containsOnlyKeys("exaplane-addon-b");
  }

  @Test
  void aSourceHasTimeAgainEachTimeItStopsBeingGood() throws Exception {
    addons(inline("a", "m"));
    go();
    wait(Duration.ofDays(1));
    engines.getFirst().now(Outcome.UNCHANGED, Health.IN_PROGRESS, "");
    assertThat(go().get("a").ready()).as("a repair of a moment is no news").isTrue();
    wait(Duration.ofSeconds(61));
    assertThat(go().get("a").reason()).isEqualTo(Reason.AddonsApplying.name());
    wait(Duration.ofSeconds(241));
    assertThat(go().get("a").reason()).isEqualTo(Reason.AddonFailed.name());
  }

  @Test
  void aManagementApiThatIsSilentForAMomentIsNoNews() throws Exception {
    files.put("m", Map.of("a.yaml", MAP.formatted("m")));
    addons("{name: a, configMap: {name: m}}");
    go();
    isSilent = true;
    wait(Duration.ofMinutes(11));
    wait(Duration.ofSeconds(31));
    assertThat(go().get("a").ready()).as("two failures").isTrue();
    wait(Duration.ofSeconds(31));
    assertThat(go().get("a").reason()).isEqualTo(Reason.AddonSourceUnreadable.name());
    isSilent = false;
    wait(Duration.ofSeconds(31));
    assertThat(go().get("a").ready()).isTrue();
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

  @Test
  void wordsOfServersAboutSecretsAreNotShown() throws Exception {
    files.put("s", Map.of("a.yaml", MAP.formatted("m")));
    addons("{name: a, secret: {name: s}}");
    go();
    for (String words :
        List.of(
            "the server says 422 Invalid: data[x]: Invalid value: \"hun'ter\": no",
            "the server says 422 Invalid: a \\\" b 'hunter",
            "it waits for Pod x: the server says 500 : got &value{Value:hunter}",
            "the server says no answer : hunter")) {
      engines.getFirst().now(Outcome.FAILED, Health.UNKNOWN, words);
      assertThat(go().get("a").toString()).contains("the server says ").doesNotContain("hun");
    }
    engines
        .getFirst()
        .notices
        .add(
            new Notice(
                Notice.Kind.CONTESTED,
                "exaplane-addon-a",
                new ObjectKey("", "ConfigMap", "default", "m"),
                null,
                "field .list[key=\"hunter\"] is also set by manager x"));
    wait(Duration.ofSeconds(1));
    assertThat(news.getLast().message()).contains("managedFields").doesNotContain("hunter");
  }
}
