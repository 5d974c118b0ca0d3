// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RolloutCommandTest {
  private static final String ROLLS =
      """
        rollout:
          component: kube-apiserver
          step: 1 of 2 pods replaced
          startedAt: "2026-11-28T07:03:00Z"
          lastWords: "unknown flag --x"
          blockedBy: [{gate: ProgressDeadline, component: kube-apiserver, number: 30m, limit: 30m, since: "2026-11-28T07:33:00Z", message: a new pod did not settle in time}]
      """;
  private static final String STALLS = ROLLS + "    stalledAt: \"2026-11-28T07:33:00Z\"\n";

  @TempDir private Path folder;
  private PlaneApi api;

  @BeforeEach
  void start() throws IOException {
    api = new PlaneApi(folder);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private PlaneApi rolling(String rollout) throws IOException {
    return api.with(PlaneFixtures.WELL.replace("  bundle: b1\n", "  bundle: b1\n" + rollout));
  }

  @Test
  void statusHasStepGatesAndLastWords() throws IOException {
    rolling(STALLS);
    assertThat(api.run("rollout", "status", "well")).as("%s", api.err).isZero();
    assertThat(api.out.toString())
        .contains("ControlPlane well: a rollout of kube-apiserver: 1 of 2 pods replaced, since")
        .contains("stopped at 2026-11-28T07:33:00Z")
        .contains("last message of the new pod: unknown flag --x")
        .containsPattern("ProgressDeadline +kube-apiserver +30m +30m");
    api.run("rollout", "status", "-o=json");
    assertThat(api.document().at("/rollout/step").asText()).isEqualTo("1 of 2 pods replaced");
    assertThat(api.document().path("turn").isNull()).isTrue();
  }

  @Test
  void statusHasThePlaceOfOneThatWaits() throws IOException {
    rolling("  turn: {state: Waiting, since: \"2026-11-28T07:03:00Z\", position: 4, atOnce: 10}\n");
    assertThat(api.run("rollout", "status", "well")).as("%s", api.err).isZero();
    assertThat(api.out.toString())
        .contains("waiting for its turn to replace pods: place 4")
        .containsPattern("WaitingForTurn +all +place 4 +10 at once +2026-11-28T07:03:00Z");
    api.run("rollout", "status", "-o=json");
    assertThat(api.document().at("/turn/atOnce").asInt()).isEqualTo(10);
  }

  @Test
  void pauseAndResumeSetAndRemoveOneField() throws IOException {
    api.with(PlaneFixtures.WELL);
    assertThat(api.run("rollout", "pause")).as("%s", api.err).isZero();
    assertThat(api.object("ControlPlane", "well").at("/spec/pausedUntil").asText())
        .isEqualTo("true");
    assertThat(api.out.toString()).contains("ControlPlane well is paused until 'rollout resume'");
    api.run("rollout", "status");
    assertThat(api.out.toString()).contains("spec.pausedUntil is true");
    api.run("rollout", "pause");
    assertThat(api.out.toString()).contains("is already paused");
    api.run("rollout", "resume", "well");
    assertThat(api.object("ControlPlane", "well").path("spec").has("pausedUntil")).isFalse();
    assertThat(api.object("ControlPlane", "well").at("/spec/version").asText()).isEqualTo("1.37.2");
    api.run("rollout", "resume");
    assertThat(api.out.toString()).contains("is not paused");
    assertThat(api.writes()).hasSize(2);
  }

  @Test
  void aPauseMayEndByItself() throws IOException {
    api.with(PlaneFixtures.WELL);
    api.run("rollout", "pause", "--for=2h", "-o=json");
    Instant end =
        Instant.parse(api.object("ControlPlane", "well").at("/spec/pausedUntil").asText());
    assertThat(Duration.between(Instant.now(), end)).isBetween(minutes(119), minutes(120));
    assertThat(api.document().path("changed").asBoolean()).isTrue();
    assertThat(api.run("rollout", "pause", "--for=0s")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString()).contains("for: '0s' must be a duration");
  }

  private static Duration minutes(int minutes) {
    return Duration.ofMinutes(minutes);
  }

  @Test
  void aMoveToAnotherBundleGoesBack() throws IOException {
    api.with(
        PlaneFixtures.WELL.replace(
            "spec: {version: \"1.37.2\"}",
            "spec: {version: \"1.37.2\", rollout: {bundle: b2, maxSurge: 1}}"));
    assertThat(api.run("rollout", "undo")).as("%s", api.err).isZero();
    assertThat(api.object("ControlPlane", "well").at("/spec/rollout").toString())
        .isEqualTo("{\"bundle\":\"b1\",\"maxSurge\":1}");
    assertThat(api.out.toString()).contains("goes back to the bundle b1");
  }

  @Test
  void aRolloutThatStoppedGoesBack() throws IOException {
    rolling(STALLS);
    assertThat(api.run("rollout", "undo")).as("%s", api.err).isZero();
    assertThat(api.object("ControlPlane", "well").at("/spec/rollout/onStall").asText())
        .isEqualTo("Rollback");
    api.run("rollout", "undo");
    assertThat(api.out.toString()).contains("goes back already");
    assertThat(api.writes()).hasSize(1);
  }

  @Test
  void whatCannotBeTakenBackIsRefused() throws IOException {
    rolling(ROLLS);
    assertThat(api.run("rollout", "undo")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("the rollout of kube-apiserver has not stopped");
    api.with(PlaneFixtures.WELL);
    assertThat(api.run("rollout", "undo")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("no rollout of ControlPlane well is under way");
    assertThat(api.writes()).isEmpty();
    api.forbid("patch controlplanes");
    assertThat(api.run("rollout", "pause")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("the right to patch controlplanes.exaplane.io");
  }
}
