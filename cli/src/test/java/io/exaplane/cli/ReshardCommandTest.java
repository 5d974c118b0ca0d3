// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.cli.plane.Resource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReshardCommandTest {
  private static final String PLANE =
      """
      kind: ControlPlane
      metadata: {name: demo}
      spec: {version: "1.37.2"}
      status:
        stores:
          items:
          - {name: default, shard: demo-default, criticality: Critical, ready: true}
          - {name: events, shard: demo-events, criticality: BestEffort, ready: true, resources: [{group: "", resource: events}]}
          - {name: leases, shard: demo-leases, criticality: Critical, ready: false}
      """;
  private static final String SUCCEEDED =
      """
      state: Succeeded
      message: "2 resources moved."
      moves:
      - {resource: {group: coordination.k8s.io, resource: leases}, fromStore: default, keys: 1200, pauseMilliseconds: 41}
      - {resource: {group: "", resource: pods}, fromStore: default, keys: 7}
      """;

  @TempDir private Path folder;
  private final InputStream before = System.in;
  private PlaneApi api;

  @BeforeEach
  void start() throws IOException {
    api = new PlaneApi(folder).with(PLANE);
  }

  @AfterEach
  void stop() {
    System.setIn(before);
    api.close();
  }

  private static void type(String text) {
    System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void everythingIsAskedForAndTheTaskIsFollowed() throws IOException {
    api.becoming(
        "{}",
        "{state: Running, step: CopyKeys, progressPercent: 40, message: 480 keys.}",
        SUCCEEDED);
    type("leases\nleases, pods\ndemo\n");
    assertThat(api.run("reshard")).as("%s", api.err).isZero();
    assertThat(api.err.toString())
        .containsPattern("default +Critical +yes +all others")
        .containsPattern("events +BestEffort +yes +events")
        .containsPattern("leases +Critical +no +none")
        .contains(
            "Which store gets the resources? ",
            "Which resources move, for example pods,leases.coordination.k8s.io? ",
            "  leases.coordination.k8s.io: from store default to store leases",
            "  pods: from store default to store leases",
            "First, kube-apiservers are replaced one by one",
            "Type the name of the ControlPlane to begin: ");
    assertThat(api.out.toString().lines())
        .containsExactly(
            "created ControlPlaneTask reshard-x7",
            "Pending",
            "Running, CopyKeys, 40 %: 480 keys.",
            "Succeeded: 2 resources moved.",
            "  leases.coordination.k8s.io  from default  1200 keys  writes waited 41 ms",
            "  pods                        from default  7 keys",
            "Next: write the new spec.storage.routes into your manifests, and keep spec.storage.movedBy.");
    assertThat(api.writes())
        .containsExactly("TRY ns/controlplanetasks", "POST ns/controlplanetasks");
    assertThat(api.object("ControlPlaneTask", "reshard-x7").path("spec"))
        .hasToString(
            "{\"controlPlaneRef\":{\"name\":\"demo\"},\"reshard\":{\"toStore\":\"leases\",\"resources\":[{\"group\":\"coordination.k8s.io\",\"resource\":\"leases\"},{\"group\":\"\",\"resource\":\"pods\"}]}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"no\n", "\n", "Demo\n"})
  void anotherAnswerCreatesNothing(String answer) {
    type(answer);
    assertThat(move()).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("nothing was moved: '" + answer.strip() + "'");
    assertThat(api.writes()).noneMatch(each -> each.startsWith("POST"));
  }

  @Test
  void whereNobodyAnswersTheOptionIsNamed() {
    type("");
    assertThat(api.run("reshard")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString()).contains("add --to=STORE");
    assertThat(api.run("reshard", "--to=leases")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString()).contains("add --resources=NAME");
    assertThat(move()).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString()).contains("add --confirm=demo");
    assertThat(api.writes()).noneMatch(each -> each.startsWith("POST"));
  }

  private int move(String... more) {
    List<String> words =
        new ArrayList<>(List.of("reshard", "demo", "--to=leases", "--resources=pods"));
    words.addAll(List.of(more));
    return api.run(words.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--to=none; --resources=pods; must be a store of ControlPlane demo; choose from default, events, leases",
        "--to=events; --resources=events; is in the store events already; choose another store",
        "--to=default; --resources=leases; is in the store default already; choose another store",
        "--to=leases; --resources=Pods; must be a plural name; write pods or leases",
        "--to=leases; --resources=pods,,x; must be a plural name; write pods or leases",
        "--to=leases; --resources=pods,pods; has pods twice; write each resource once",
        "--to=leases; --timeout=0; must be 1 to 604800 seconds; write 3600"
      })
  void aWrongOptionNamesTheRule(String first, String second, String rule, String next) {
    assertThat(api.run("reshard", "demo", first, second, "--confirm=demo"))
        .isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString()).contains(rule, next);
    assertThat(api.writes()).isEmpty();
  }

  @Test
  void aFailureIsAnError() throws IOException {
    api.becoming("{state: Rejected, message: \"spec.reshard.toStore leases: is no store.\"}");
    assertThat(move("--confirm=demo")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString())
        .contains("ControlPlaneTask reshard-x7: Rejected: spec.reshard.toStore leases");
  }

  @Test
  void whoDoesNotWaitLongerLearnsThatTheTaskContinues() throws IOException {
    api.becoming("{state: Running, step: ReplacePods, message: 1 of 2 pods.}");
    assertThat(move("--confirm=demo", "--timeout=1")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString())
        .contains("continues after 1 s (Running, ReplacePods: 1 of 2 pods.)")
        .contains("do not repeat the command")
        .contains("'kubectl -n ns wait cpltask reshard-x7 --for=condition=Complete --timeout=1h'")
        .contains("'kubectl -n ns delete cpltask reshard-x7'");
    assertThat(move("--confirm=demo", "--no-follow", "-o=json")).isZero();
    assertThat(api.document().path("task").asText()).isEqualTo("reshard-x7");
  }

  @Test
  void aServerThatFailsForAWhileIsAskedAgain() throws IOException {
    api.becoming(SUCCEEDED).failing("get controlplanetasks", 2);
    assertThat(move("--confirm=demo")).as("%s", api.err).isZero();
    assertThat(api.out.toString().lines())
        .containsOnlyOnce(
            "no answer about the task, which continues, and is asked for again: status 503: etcd leader changed")
        .contains("Succeeded: 2 resources moved.");
  }

  @Test
  void whoMayHaveCreatedATaskLooksFirst() throws IOException {
    api.becoming(SUCCEEDED).failing("create controlplanetasks", 1);
    assertThat(move("--confirm=demo")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString())
        .contains("status 503: etcd leader changed")
        .contains("it may have been created; check 'kubectl -n ns get cpltask' first");
  }

  @ParameterizedTest
  @ValueSource(strings = {"get controlplanetasks", "create controlplanetasks"})
  void aMissingRightIsFoundBeforeTheQuestion(String right) {
    api.forbid(right);
    assertThat(move("--confirm=demo")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("the right to " + right);
    assertThat(api.writes()).noneMatch(each -> each.startsWith("POST"));
  }

  @Test
  void otherTasksAndServicesOfEarlierMovesAreTold() throws IOException {
    api.with(PlaneFixtures.DOWN)
        .with(
            PLANE.replace(
                "  stores:", "  routes: [{resource: {group: \"\", resource: pods}}]\n  stores:"))
        .becoming(SUCCEEDED);
    assertThat(move("--confirm=demo")).as("%s", api.err).isZero();
    assertThat(api.err.toString())
        .contains("ControlPlaneTask restart is not done: the move may wait for it.")
        .contains("No kube-apiserver is replaced, since each of these resources has a Service.");
    api.forbid("list controlplanetasks");
    assertThat(move("--confirm=demo")).as("%s", api.err).isZero();
    assertThat(api.out.toString())
        .contains("not shown: the account has no right to list controlplanetasks");
  }

  @Test
  void aControlPlaneWithoutStoresIsNotReady() throws IOException {
    api.with("{kind: ControlPlane, metadata: {name: new}, spec: {}}");
    assertThat(api.run("reshard", "new", "--to=x", "--resources=pods")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("has no stores yet; wait until");
  }

  /** Names without a group are those of the operator's list of built-in resources. */
  @Test
  void eachNameWithoutAGroupIsABuiltInResource() throws IOException {
    List<String> known =
        Files.readAllLines(Path.of("../operator/src/main/resources/builtin-resources-1.37.txt"))
            .stream()
            .filter(line -> !line.startsWith("#"))
            .toList();
    for (String each : known) {
      String[] parts = each.split("/");
      Resource resource = new Resource(parts[0], parts[1]);
      assertThat(Resource.of(each)).isEqualTo(resource);
      assertThat(Resource.of(resource.toString())).isEqualTo(resource);
      Resource bare = Resource.of(parts[1]);
      assertThat(known)
          .as("what '%s' is taken for", parts[1])
          .contains(bare.group() + "/" + bare.resource());
    }
  }
}
