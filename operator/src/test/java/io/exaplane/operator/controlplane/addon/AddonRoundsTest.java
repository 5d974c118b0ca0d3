// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.apply.engine.Cost;
import io.exaplane.apply.engine.Notice;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Health;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * How sources are read, handed to engines, and told.
 *
 * <p>Longer than others: a list of cases, a method each.
 */
class AddonRoundsTest extends AddonRoundsBed {
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
  void theRunOfARevisionHasItsOwnCost() throws Exception {
    addons(inline("a", "m"));
    pass();
    pass();
    rounds.round();
    engines.getFirst().cost = new Cost(5, 900);
    engines.getFirst().idle = false;
    engines.getFirst().now(Outcome.PENDING, Health.UNKNOWN, "");
    rounds.round();
    engines.getFirst().idle = true;
    engines.getFirst().now(Outcome.APPLIED, Health.CURRENT, "");
    rounds.round();
    addons(inline("a", "other"));
    engines.getFirst().cost = new Cost(8, 1_000);
    AddonStatus status = go().get("a");
    assertThat(status.requests()).isEqualTo(3);
    assertThat(status.sentBytes()).isEqualTo(100);
    rounds = rounds();
    assertThat(go().get("a").requests()).as("after a restart").isEqualTo(3);
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

  /** A ConfigMap of 1 MiB has room for 300,000 of them, each with a message. */
  @Test
  void objectsOfASourceHaveABound() throws Exception {
    files.put("big", Map.of("a.yaml", "kind: List\nitems: [" + "{},".repeat(10_001) + "]\n"));
    addons("{name: a, configMap: {name: big}}, " + inline("b", "m"));
    Map<String, AddonStatus> told = go();
    assertThat(told.get("a").message()).contains("more than the 10000 objects", "split the source");
    assertThat(told.get("a").failures()).isNull();
    assertThat(told.get("b").ready()).isTrue();
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
  void whoWaitsForAPausedSourceIsToldWhatToDo() throws Exception {
    addons(
        "%s, %s"
            .formatted(
                inline("a", "m").replace("name: a,", "name: a, paused: true,"),
                inline("b", "m2").replace("name: b,", "name: b, dependsOn: [a],")));
    assertThat(go().get("b").message())
        .contains("waits for a (paused). Set paused", "dependsOn")
        .doesNotContain("No action");
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
  void aPausedSourceIsLeftAloneAndOthersGoOn() throws Exception {
    addons(inline("a", "m") + ", " + inline("b", "m2"));
    go();
    addons(
        inline("a", "m").replace("name: a,", "name: a, paused: true,") + ", " + inline("b", "m2"));
    Map<String, AddonStatus> told = go();
    assertThat(told.get("a").reason()).isEqualTo(Reason.Paused.name());
    assertThat(told.get("b").ready()).isTrue();
    assertThat(engines).as("the other source keeps the engine").hasSize(1);
    assertThat(engines.getFirst().dropped).containsExactly("exaplane-addon-a");
    assertThat(engines.getFirst().wanted).containsOnlyKeys("exaplane-addon-b");
    addons(inline("a", "m") + ", " + inline("b", "m2"));
    assertThat(go().get("a").ready()).isTrue();
    assertThat(engines.getFirst().wanted).hasSize(2);
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
  void whoHoldsAnObjectUpIsNamed() throws Exception {
    addons(inline("a", "m"));
    go();
    engines
        .getFirst()
        .now(Outcome.WAITING, Health.UNKNOWN, "field .data.a is also set by manager x; stop that");
    for (int i = 0; i < 4; i++) {
      wait(Duration.ofSeconds(30));
    }
    AddonStatus told = pass().get("a");
    assertThat(told.ready()).isFalse();
    assertThat(told.reason()).isEqualTo(Reason.AddonsApplying.name());
    assertThat(told.message())
        .contains("ConfigMap default/m (inline.yaml:1): field .data.a is also set by manager x")
        .doesNotContain("No action");
  }

  /** A tenant can change thousands of objects again and again. */
  @Test
  void fightsForManyObjectsAreNoFloodOfEvents() throws Exception {
    addons(inline("a", "m"));
    go();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 500; i++) {
        ObjectKey key = new ObjectKey("", "ConfigMap", "default", "m" + i);
        Notice notice =
            new Notice(Notice.Kind.CONTESTED, "exaplane-addon-a", key, null, "somebody");
        engines.getFirst().notices.add(notice);
      }
      wait(Duration.ofMinutes(5));
    }
    assertThat(news).hasSize(20);
    wait(Duration.ofHours(1));
    engines
        .getFirst()
        .notices
        .add(
            new Notice(
                Notice.Kind.CONTESTED,
                "exaplane-addon-a",
                new ObjectKey("", "ConfigMap", "default", "m499"),
                null,
                "somebody"));
    wait(Duration.ofSeconds(1));
    assertThat(news).as("an hour later").hasSize(21);
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
    assertThat(status.message()).contains("apply engine has failed", "report the fault");
    wait(Duration.ofMinutes(6));
    assertThat(go().get("a").ready()).isTrue();
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
