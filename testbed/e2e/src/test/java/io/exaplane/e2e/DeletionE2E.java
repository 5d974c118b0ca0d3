// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A control plane that keeps nothing goes whole, whatever is left of it by then, and its name can
 * be used again. {@link RetainedDataE2E} deletes one of which all is there.
 */
@Order(90)
@Tag("own")
class DeletionE2E {
  private static final String NAME = "again";
  private static final String DELETE = "{\"spec\":{\"storage\":{\"deletion\":\"Delete\"}}}";
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @TempDir private static Path folder;

  private static Path manifest;

  @BeforeAll
  static void up() throws Exception {
    manifest = Files.writeString(folder.resolve("again.yaml"), Scratch.oneOfEach(NAME));
    Bed.kubectl("apply", "--filename=" + manifest);
    Bed.awaitSettled(NAME, Demo.NAMESPACE, PATIENCE);
  }

  /** The Secrets of the one before go a moment after it; the new one must not take its CA. */
  @Test
  @Order(1)
  void theSameNameCanBeUsedAgainAtOnce() {
    Demo.patch(NAME, Demo.NAMESPACE, DELETE);
    Bed.allowDeletion(NAME, Demo.NAMESPACE);
    String before = caUid();
    Bed.kubectl("replace", "--force", "--filename=" + manifest);
    Bed.awaitSettled(NAME, Demo.NAMESPACE, PATIENCE);
    assertThat(caUid()).isNotEqualTo(before);
    assertThat(Hosted.client(NAME, Demo.NAMESPACE).namespaces().withName("default").get())
        .isNotNull();
  }

  @Test
  @Order(2)
  void deletionWorksWhenTheStoresAreGoneAlready() {
    Demo.patch(NAME, Demo.NAMESPACE, DELETE);
    Bed.kubectl("delete", "statefulsets", "again-default", "again-events", "--wait=false");
    Bed.kubectl("delete", "pods", "again-default-0", "again-events-0", "--force", "--wait=false");
    Bed.delete(Demo.NAMESPACE, List.of(NAME), "--wait=false");
    apiServersEnd();
    Bed.await(
        "the control plane is gone",
        PATIENCE,
        () -> Bed.controlPlane(NAME, Demo.NAMESPACE) == null,
        () -> Bed.describe(NAME, Demo.NAMESPACE));
    Scratch.awaitNothingIsLeft(NAME);
  }

  /**
   * A server without its store ends only after its grace period, which is more than a minute: once
   * it was told to end, it has one second.
   */
  private static void apiServersEnd() {
    Bed.await(
        "the apiservers are told to end",
        PATIENCE,
        () -> Bed.pods(NAME, Demo.NAMESPACE, "apiserver").isEmpty());
    Bed.kubectl(
        "delete",
        "pods",
        "--selector=exaplane.io/control-plane=again,app.kubernetes.io/component=apiserver",
        "--grace-period=1",
        "--wait=false",
        "--ignore-not-found");
  }

  private static String caUid() {
    return Bed.CLIENT
        .secrets()
        .inNamespace(Demo.NAMESPACE)
        .withName(NAME + "-ca")
        .get()
        .getMetadata()
        .getUid();
  }
}
