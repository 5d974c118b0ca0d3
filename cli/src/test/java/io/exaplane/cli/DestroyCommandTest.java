// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestroyCommandTest {
  private static final String WITH_DATA =
      PlaneFixtures.WELL.replace(
          "spec: {version: \"1.37.2\"}",
          "spec: {version: \"1.37.2\", storage: {deletion: Delete}}");

  @TempDir private Path folder;
  private final InputStream before = System.in;
  private PlaneApi api;

  @BeforeEach
  void start() throws IOException {
    api = new PlaneApi(folder).with(PlaneFixtures.DOWN);
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
  void theNameIsAskedForAndPoolsGoFirst() {
    type("demo\n");
    assertThat(api.run("destroy", "demo")).as("%s", api.err).isZero();
    assertThat(api.err.toString())
        .contains("This deletes ControlPlane demo in namespace ns: version 1.37.2, 12 nodes.")
        .contains("Also deleted: NodePool workers", "Also deleted: SchedulerPool sched")
        .contains("Kept: the claims of the stores, the CAs")
        .contains("Type the name of the ControlPlane to delete it: ");
    assertThat(api.writes())
        .containsExactly(
            "PATCH controlplanes/demo",
            "TRY controlplanetasks/restart",
            "TRY nodepools/workers",
            "TRY schedulerpools/sched",
            "TRY controlplanes/demo",
            "DELETE controlplanetasks/restart",
            "DELETE nodepools/workers",
            "DELETE schedulerpools/sched",
            "DELETE controlplanes/demo");
    assertThat(api.out.toString())
        .contains("deleted NodePool workers", "deleted ControlPlane demo");
    assertThat(api.object("SchedulerPool", "other")).as("of another control plane").isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"no\n", "Demo\n", "\n", "demo2\n"})
  void anotherAnswerDeletesNothing(String answer) {
    type(answer);
    assertThat(api.run("destroy", "demo")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("nothing was deleted");
    assertThat(api.writes()).isEmpty();
  }

  @Test
  void whereNobodyAnswersTheOptionIsNamed() {
    type("");
    assertThat(api.run("destroy", "demo")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString()).contains("add --confirm=demo");
    assertThat(api.run("destroy", "demo", "--confirm=other")).isEqualTo(Exactl.FAILED);
    assertThat(api.writes()).isEmpty();
    assertThat(api.run("destroy", "demo", "--confirm=demo", "-o=json")).isZero();
    assertThat(api.writes()).hasSize(9);
  }

  @Test
  void dataIsAskedAboutOnItsOwn() throws IOException {
    api.with(WITH_DATA);
    type("well\nyes\n");
    assertThat(api.run("destroy", "well")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("Also deleted: the data of all stores");
    assertThat(api.run("destroy", "well", "--confirm=well")).isEqualTo(Exactl.FAILED);
    assertThat(api.writes()).isEmpty();
    type("well\ndelete the data\n");
    assertThat(api.run("destroy", "well")).as("%s", api.err).isZero();
    api.with(WITH_DATA);
    assertThat(api.run("destroy", "well", "--confirm=well", "--delete-data")).isZero();
    assertThat(api.object("ControlPlane", "well")).isNull();
  }

  @Test
  void aMissingRightIsFoundBeforeAnythingIsDeleted() {
    api.forbid("list nodepools");
    assertThat(api.run("destroy", "demo", "--confirm=demo")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("the right to list nodepools.exaplane.io");
    assertThat(api.writes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"controlplanetasks", "schedulerpools", "controlplanes"})
  void oneRefusedDeletionKeepsEverything(String resource) {
    api.forbid("delete " + resource);
    assertThat(api.run("destroy", "demo", "--confirm=demo")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("the right to delete " + resource);
    assertThat(api.writes()).noneMatch(each -> each.startsWith("DELETE"));
    assertThat(api.object("ControlPlane", "demo").at("/metadata/annotations").toString())
        .as("is protected again")
        .doesNotContain("allow-deletion");
  }

  private enum Change {
    ANOTHER("ControlPlane demo is another one of the same name"),
    POOL("NodePool workers is new"),
    DATA("spec.storage.deletion is Delete now");

    private final String words;

    Change(String words) {
      this.words = words;
    }
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  void whatChangesAfterTheQuestionIsNotDeleted(Change change) {
    System.setIn(
        new ByteArrayInputStream("demo\n".getBytes(StandardCharsets.UTF_8)) {
          @Override
          public synchronized int read(byte[] to, int from, int most) {
            make(change);
            return super.read(to, from, most);
          }
        });
    assertThat(api.run("destroy", "demo")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString())
        .contains("was not deleted, since it changed after the question", change.words);
    assertThat(api.writes()).isEmpty();
  }

  private void make(Change change) {
    switch (change) {
      case ANOTHER -> metadata("ControlPlane", "demo").put("uid", "another");
      case POOL -> metadata("NodePool", "workers").put("uid", "another");
      case DATA ->
          ((ObjectNode) api.object("ControlPlane", "demo").path("spec"))
              .putObject("storage")
              .put("deletion", "Delete");
    }
  }

  private ObjectNode metadata(String kind, String name) {
    return (ObjectNode) api.object(kind, name).path("metadata");
  }
}
