// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusCommandTest {
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
  void aGoodOneIsNobodysMove() throws IOException {
    api.with(PlaneFixtures.WELL);
    assertThat(api.run("status")).as("%s", api.err).isZero();
    assertThat(api.out.toString())
        .contains("ControlPlane well in namespace ns: version 1.37.2, https://[2001:db8::1]:6443")
        .contains("Is it up?        yes, since 2026-11-28T07:00:00Z: The API answers.")
        .contains("Doing what?      nothing: Everything matches the spec.")
        .contains("Why not?         nothing holds it back")
        .contains("Whose move?      nobody's: Everything matches the spec.")
        .containsPattern("ControlPlane/well +Ready")
        .containsPattern("└─ kube-apiserver +2/2 ready")
        .containsPattern("   └─ Pod/well-apiserver-1 +Ready");
  }

  @Test
  void aBadOneSaysWhyNotAndWhoseMove() throws IOException {
    api.with(PlaneFixtures.DOWN);
    assertThat(api.run("status", "demo")).as("%s", api.err).isZero();
    assertThat(api.out.toString())
        .contains("Is it up?        no, since 2026-11-28T07:01:00Z: The API answers, but its store")
        .contains("Why not?         Available StoreUnavailable: ")
        .contains("                   StoresReady StoreUnavailable: Store default does not serve.")
        .contains("Whose move?      yours: See StoresReady.")
        .containsPattern("├─ StoreShard/demo-default +not ready +StoreUnavailable: Pod demo")
        .containsPattern(
            "│  └─ Pod/demo-default-0 +CrashLoopBackOff +4 restarts, container store: Crash")
        .containsPattern("├─ SchedulerPool/sched +Ready")
        .containsPattern("│  └─ Pod/sched-root-0 +Ready")
        .containsPattern("├─ NodePool/workers +not ready, 11/12 nodes +NodesNotReady")
        .containsPattern("└─ ControlPlaneTask/restart +Running +restart KubeAPIServer 1 of 2 pods")
        .doesNotContain("other");
  }

  @Test
  void machinesGetTheSame() throws IOException {
    api.with(PlaneFixtures.DOWN);
    assertThat(api.run("status", "demo", "-o", "json")).isZero();
    assertThat(api.document().path("move").asText()).isEqualTo("YOU");
    assertThat(api.document().at("/tree/children")).hasSize(4);
    assertThat(api.document().at("/conditions/0/type").asText()).isEqualTo("Available");
    String json = api.document().toString();
    api.run("status", "demo", "-o", "yaml");
    assertThat(new YAMLMapper().readTree(api.out.toString())).hasToString(json);
  }

  @Test
  void severalHaveALineEach() throws IOException {
    api.with(PlaneFixtures.DOWN).with(PlaneFixtures.WELL);
    assertThat(api.run("status")).isZero();
    assertThat(api.out.toString())
        .containsPattern("ns +demo +1.37.2 +no +yours +See StoresReady.")
        .containsPattern("ns +well +1.37.2 +yes +nobody's");
    api.with(PlaneFixtures.WELL.replace("name: well,", "name: well, namespace: far,"));
    api.run("status", "-A", "-o=json");
    assertThat(api.document()).hasSize(3);
  }

  @Test
  void aRolloutAndItsGatesAreTold() throws IOException {
    api.with(
        PlaneFixtures.WELL.replace(
            "  bundle: b1\n",
            """
              rollout:
                component: kube-apiserver
                step: 1 of 2 pods replaced
                startedAt: "2026-11-28T07:03:00Z"
                blockedBy: [{gate: Relists, component: kube-apiserver, number: "12/s", limit: "10/s", message: clients list again}]
            """));
    api.run("status");
    assertThat(api.out.toString())
        .contains("Doing what?      a rollout of kube-apiserver: 1 of 2 pods replaced, since")
        .contains(
            "Why not?         the gate Relists holds kube-apiserver (12/s, limit 10/s): clients list again");
  }

  @Test
  void whatTheOperatorHasNotSeenIsItsMove() throws IOException {
    api.with(PlaneFixtures.WELL.replace("generation: 3}", "generation: 4}"));
    api.run("status");
    assertThat(api.out.toString())
        .contains("Whose move?      the operator's: The operator has not processed generation 4");
  }

  @Test
  void withoutRightsTheRestIsShown() throws IOException {
    api.with(PlaneFixtures.DOWN).forbid("list pods").forbid("list nodepools");
    assertThat(api.run("status", "demo")).isZero();
    assertThat(api.out.toString())
        .contains("not shown: the account has no right to list pods in namespace ns")
        .contains("no right to list nodepools.exaplane.io")
        .contains("StoreShard/demo-default")
        .doesNotContain("Pod/");
  }

  @Test
  void anOlderOperatorLacksKinds() throws IOException {
    api.with(PlaneFixtures.DOWN).forget("controlplanetasks").forget("schedulerpools");
    assertThat(api.run("status", "demo")).as("%s", api.err).isZero();
    assertThat(api.out.toString())
        .contains("not shown: the management cluster does not know controlplanetasks.exaplane.io")
        .contains("NodePool/workers");
    api.log("demo-default-0", "store", false, "2026-11-28T07:00:00Z a\n");
    assertThat(api.run("logs", "demo")).as("%s", api.err).isZero();
    api.forget("controlplanes");
    assertThat(api.run("status")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("install Exaplane");
  }

  @Test
  void refusalsNameTheRightAndWhatIsMissing() throws IOException {
    api.with(PlaneFixtures.DOWN).forbid("get controlplanes");
    assertThat(api.run("status", "demo")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString())
        .contains(
            "the account must have the right to get controlplanes.exaplane.io in namespace ns")
        .contains("docs/kubectl-plugin.md");
    assertThat(api.run("status", "-n", "empty")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("namespace empty has no ControlPlane");
    api.close();
    assertThat(api.run("status")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("the management cluster does not answer");
  }

  @Test
  void oneThatDoesNotExistIsNamed() throws IOException {
    assertThat(api.run("status", "nobody")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("ControlPlane nobody does not exist in namespace ns");
  }
}
