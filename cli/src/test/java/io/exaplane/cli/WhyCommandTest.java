// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WhyCommandTest {
  private static final String LOG =
      """
      2026-11-28T07:01:58.1Z I1128 started
      2026-11-28T07:01:59.1Z E1128 07:01:59 wal: sector 7 of segment 3 is damaged
      2026-11-28T07:02:00.1Z I1128 bye
      """;

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

  @Test
  void theChainGoesFromConditionToObjectToPodToLogToAction() throws IOException {
    api.with(PlaneFixtures.DOWN).log("demo-default-0", "store", true, LOG);
    assertThat(api.run("why", "Available", "demo")).as("%s", api.err).isZero();
    assertThat(api.out.toString().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("ControlPlane/demo: Available is False (StoreUnavailable) since"),
            line -> assertThat(line).startsWith("└─ ControlPlane/demo: StoresReady is False"),
            line ->
                assertThat(line).startsWith("   └─ StoreShard/demo-default: Ready is False (Store"),
            line ->
                assertThat(line)
                    .startsWith("      └─ Pod/demo-default-0: container store: CrashLoopBackOff")
                    .contains("ended with code 65"),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "         └─ demo-default-0 store: E1128 07:01:59 wal: sector 7 of segment 3 is damaged"),
            line -> assertThat(line).isEmpty(),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "Next: Check the volume with 'kubectl describe pod demo-default-0'."),
            line ->
                assertThat(line).isEqualTo("Page: docs/not-available.md#a-store-does-not-serve"));
  }

  @Test
  void machinesGetTheSteps() throws IOException {
    api.with(PlaneFixtures.DOWN).log("demo-default-0", "store", true, LOG);
    api.run("why", "Available", "-o=json");
    assertThat(api.document().path("links"))
        .extracting(link -> link.path("step").asText())
        .containsExactly("condition", "condition", "condition", "pod", "log");
    assertThat(api.document().path("good").asBoolean()).isFalse();
  }

  @Test
  void aReasonOrAToolsConditionLeadsToTheSame() throws IOException {
    api.with(PlaneFixtures.DOWN).log("demo-default-0", "store", true, LOG);
    for (String word : new String[] {"ready", "StoreUnavailable"}) {
      api.run("why", word, "cpl/demo");
      assertThat(api.out.toString()).as(word).contains("sector 7 of segment 3");
    }
    api.run("why");
    assertThat(api.out.toString()).startsWith("ControlPlane/demo: Ready is False");
  }

  @Test
  void otherKindsAreAskedByTheirNames() throws IOException {
    api.with(PlaneFixtures.DOWN).log("demo-default-0", "store", true, LOG);
    api.run("why", "Ready", "shard/demo-default");
    assertThat(api.out.toString())
        .startsWith("StoreShard/demo-default: Ready is False")
        .contains("Pod/demo-default-0");
    api.run("why", "Ready", "npool/workers");
    assertThat(api.out.toString())
        .contains("Next: Check the node.")
        .contains("Page: docs/node-pools.md#nodes-are-not-ready");
  }

  @Test
  void aGoodConditionNeedsNothing() throws IOException {
    api.with(PlaneFixtures.WELL);
    api.run("why", "Available");
    assertThat(api.out.toString())
        .contains("Available is True (AsExpected)")
        .contains("Next: No action is needed.")
        .doesNotContain("Page:");
  }

  @Test
  void unknownWordsAreRefusedWithTheChoice() throws IOException {
    api.with(PlaneFixtures.WELL);
    assertThat(api.run("why", "Healthy")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString())
        .contains("condition: 'Healthy' must be a condition of well; choose from: Available");
    assertThat(api.run("why", "Ready", "pod/x")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString()).contains("object: 'pod/x' must begin with a kind");
  }

  @Test
  void aLogThatCannotBeReadIsSaid() throws IOException {
    api.with(PlaneFixtures.DOWN).forbid("get pods/log");
    assertThat(api.run("why", "Available")).isZero();
    assertThat(api.out.toString())
        .contains("not shown: the account has no right to get pods/log in namespace ns");
    PlaneApi silent = new PlaneApi(folder);
    silent.with(PlaneFixtures.DOWN);
    assertThat(silent.run("why", "Available")).isZero();
    assertThat(silent.out.toString()).contains("the log of container store is not shown");
    silent.close();
  }
}
