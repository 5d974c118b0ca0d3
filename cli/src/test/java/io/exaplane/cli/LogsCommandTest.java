// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogsCommandTest {
  @TempDir private Path folder;
  private PlaneApi api;

  @BeforeEach
  void start() throws IOException {
    api =
        new PlaneApi(folder)
            .with(PlaneFixtures.DOWN)
            .log(
                "demo-default-0",
                "store",
                false,
                "2026-11-28T07:00:01.5Z b\n2026-11-28T07:00:03Z d\n")
            .log("demo-default-0", "store", true, "2026-11-28T06:00:00Z before\n")
            .log(
                "sched-root-0",
                "scheduler",
                false,
                "2026-11-28T07:00:01.05Z a\n2026-11-28T07:00:02Z c\n");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void linesOfAllContainersAreMergedByTime() {
    assertThat(api.run("logs")).as("%s", api.err).isZero();
    assertThat(api.out.toString().lines())
        .containsExactly(
            "[sched-root-0 scheduler] a",
            "[demo-default-0 store] b",
            "[sched-root-0 scheduler] c",
            "[demo-default-0 store] d");
  }

  @Test
  void oneComponentOrTheContainersBefore() throws IOException {
    api.run("logs", "demo", "-c", "store", "--timestamps");
    assertThat(api.out.toString().lines())
        .containsExactly(
            "[demo-default-0 store] 2026-11-28T07:00:01.5Z b",
            "[demo-default-0 store] 2026-11-28T07:00:03Z d");
    api.run("logs", "-p");
    assertThat(api.out.toString().lines()).containsExactly("[demo-default-0 store] before");
    api.run("logs", "-c=pool", "-o=json");
    assertThat(api.document().at("/1/text").asText()).isEqualTo("c");
  }

  @Test
  void followingPrintsLinesAsTheyCome() throws IOException {
    assertThat(api.run("logs", "-f")).as("%s", api.err).isZero();
    assertThat(api.out.toString().lines())
        .containsExactlyInAnyOrder(
            "[sched-root-0 scheduler] a",
            "[demo-default-0 store] b",
            "[sched-root-0 scheduler] c",
            "[demo-default-0 store] d");
    assertThat(api.run("logs", "-f", "-c=pool", "-o=json")).isZero();
    assertThat(api.out.toString().lines().findFirst().orElseThrow())
        .isEqualTo(
            "{\"pod\":\"sched-root-0\",\"container\":\"scheduler\",\"time\":\"2026-11-28T07:00:01.05Z\",\"text\":\"a\"}");
  }

  /** As in 'logs -f | grep -m 1 again', whose reader has read enough. */
  @Test
  @Timeout(60)
  void followingEndsWhenNobodyReads() {
    api.endlessLog("demo-default-0", "store");
    PrintWriter unread =
        new PrintWriter(
            new Writer() {
              @Override
              public void write(char[] text, int offset, int length) throws IOException {
                throw new IOException("Broken pipe");
              }

              @Override
              public void flush() {
                // Nothing is kept.
              }

              @Override
              public void close() {
                // Nothing is open.
              }
            });
    assertThat(
            Exactl.run(
                unread,
                new PrintWriter(api.err, true),
                "logs",
                "-f",
                "-c=store",
                "--kubeconfig=" + folder.resolve("kubeconfig")))
        .as("%s", api.err)
        .isZero();
  }

  @Test
  void aContainerThatDoesNotAnswerHidesNoOther() throws IOException {
    PlaneApi half = new PlaneApi(folder).with(PlaneFixtures.DOWN);
    half.log("sched-root-0", "scheduler", false, "2026-11-28T07:00:02Z c\n");
    assertThat(half.run("logs")).isEqualTo(Exactl.FAILED);
    assertThat(half.out.toString()).contains("[sched-root-0 scheduler] c");
    assertThat(half.err.toString()).contains("container has no log");
    assertThat(half.run("logs", "-f")).isEqualTo(Exactl.FAILED);
    half.close();
  }

  @Test
  void aMissingRightIsNamed() {
    api.forbid("get pods/log");
    assertThat(api.run("logs")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("the right to get pods/log in namespace ns");
    assertThat(api.run("logs", "-f")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("the right to get pods/log in namespace ns");
    api.forbid("list pods");
    assertThat(api.run("logs")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("the right to list pods in namespace ns");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--component=etcd | component: 'etcd' must be a component",
        "--tail=-1 | tail: '-1' must be at least 0",
        "--since=soon | since: 'soon' must be a duration",
        "--since=10ms | since: '10ms' must be a duration",
        "-fp | follow: '--previous' must not be used",
      })
  void badInputIsRefused(String option, String message) {
    assertThat(api.run("logs", option)).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString()).contains(message);
    assertThat(api.requests()).isEmpty();
  }

  @Test
  void noContainerIsAnError() {
    assertThat(api.run("logs", "-c=apiserver")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("ControlPlane demo has no container with a log");
  }
}
