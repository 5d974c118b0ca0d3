// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Helm's chart, kustomize and install.yaml on a cluster with nothing of Exaplane, as
 * docs/install.md has them: a control plane becomes Available, lives through an upgrade and an
 * uninstall of the chart, is taken over by kustomize's operator and then by that of install.yaml,
 * and everything is gone after docs/uninstall.md. Each test continues the one before. What 'exa up'
 * installed is removed first, with all control planes, and stays removed.
 */
@Order(200)
@Tag("install")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class InstallLiveE2E {
  private static final Duration PATIENCE = InstallBed.PATIENCE;
  private static final String NAME = "ways";
  private static final String NAMESPACE = "install-live";
  private static final String RELEASE = "exaplane";
  private static final String CHART = Bed.HOME.resolve("config/helm/exaplane").toString();
  private static final String WAIT = InstallBed.WAIT;

  /** Of the operator, the store and the scheduler, as the launcher pushed them. */
  private static final List<String> IMAGES =
      List.of(System.getProperty("exa.images", "").split(","));

  private static Map<String, String> pods;

  @BeforeAll
  static void nothingOfExaplane() throws IOException {
    assertThat(IMAGES).as("-Dexa.images=OPERATOR,STORE,SCHEDULER").hasSize(3);
    InstallBed.nothingOfExaplane();
  }

  @Test
  @Order(1)
  void aControlPlaneIsAvailableAfterHelmsInstall() {
    InstallBed.helm(
        "install",
        RELEASE,
        CHART,
        "--create-namespace",
        "--set",
        "images.operator=%s,images.store=%s,images.scheduler=%s"
            .formatted(IMAGES.get(0), IMAGES.get(1), IMAGES.get(2)));
    InstallBed.operatorLeads();
    assertThat(InstallBed.helm("test", RELEASE, "--logs"))
        .containsPattern("(?s)exaplane-test-ready.*Succeeded");
    InstallBed.create(NAME, NAMESPACE);
    pods = InstallBed.pods(NAMESPACE);
    assertThat(pods).hasSizeGreaterThan(3);
  }

  /** The other image is the same one by its digest: another bundle, which waits for its user. */
  @Test
  @Order(2)
  void anUpgradeReplacesTheOperatorAndNoPodOfTheControlPlane() {
    assertThat(pods).as("the test before").isNotNull();
    InstallBed.helm(
        "upgrade",
        RELEASE,
        CHART,
        "--reset-then-reuse-values",
        "--set",
        "images.operator=" + IMAGES.getFirst() + digest());
    InstallBed.operatorLeads();
    Bed.awaitCondition(
        NAME, NAMESPACE, ConditionType.OperatorUpdatePending, Condition.TRUE, PATIENCE);
    InstallBed.serves(NAME, NAMESPACE, pods);
  }

  @Test
  @Order(3)
  void anUninstallKeepsTheTypesNamesThemAndTheApiAnswers() {
    assertThat(pods).as("the first test").isNotNull();
    String said = InstallBed.helm("uninstall", RELEASE, "--wait", "--timeout=4m");
    for (String type : InstallBed.types()) {
      assertThat(said).contains("[CustomResourceDefinition] " + type);
    }
    assertThat(InstallBed.types()).hasSize(5);
    Bed.awaitHolds(
        PATIENCE,
        () ->
            assertThat(
                    Bed.kubectl(
                        "-n", Bed.OPERATOR_NAMESPACE, "get", "deploy,svc,pdb", "-o", "name"))
                .doesNotContain("/"));
    assertThat(Bed.kubectl("get", "clusterrole,clusterrolebinding", "-o", "name"))
        .doesNotContain("exaplane-");
    InstallBed.serves(NAME, NAMESPACE, pods);
  }

  @Test
  @Order(4)
  void kustomizesOperatorTakesTheControlPlaneOver(@TempDir Path folder) throws IOException {
    assertThat(pods).as("the first test").isNotNull();
    Path overlay = folder.resolve("config/overlays/own-registry");
    copy(Bed.HOME.resolve("config/install"), folder.resolve("config/install"));
    copy(Bed.HOME.resolve("config/overlays/own-registry"), overlay);
    Path file = overlay.resolve("kustomization.yaml");
    Files.writeString(file, withImages("registry.example.org/exaplane/", Files.readString(file)));
    Bed.kubectl("apply", "--server-side", "-k", overlay.toString());
    takenOver();
  }

  /** After the operator of before was removed with its rights, and only the types are left. */
  @Test
  @Order(5)
  void theOperatorOfInstallYamlTakesTheControlPlaneOver(@TempDir Path folder) throws IOException {
    assertThat(pods).as("the first test").isNotNull();
    InstallBed.removeOperator();
    assertThat(InstallBed.types()).hasSize(5);
    InstallBed.serves(NAME, NAMESPACE, pods);
    String text = Files.readString(Bed.HOME.resolve("config/install/install.yaml"));
    Path file = folder.resolve("install.yaml");
    Files.writeString(file, withImages("quay.io/exaplane/", text));
    Bed.kubectl("apply", "--server-side", "-f", file.toString());
    takenOver();
  }

  /** The launcher's images in the place of those of a registry. */
  private static String withImages(String registry, String text) {
    String changed = text;
    for (String image : IMAGES) {
      String name = image.replaceAll(".*/|:.*", "");
      changed = changed.replaceAll(Pattern.quote(registry) + name + ":[0-9A-Za-z.-]+", image);
    }
    // The launcher's names may begin as those of the file.
    assertThat(Pattern.compile("\\S+/exaplane/[a-z]+[:@]\\S+").matcher(changed).results())
        .extracting(MatchResult::group)
        .as("images of %s", registry)
        .hasSizeGreaterThanOrEqualTo(IMAGES.size())
        .isSubsetOf(IMAGES);
    return changed;
  }

  private static void takenOver() {
    InstallBed.operatorLeads();
    Bed.awaitCondition(
        NAME, NAMESPACE, ConditionType.OperatorUpdatePending, Condition.FALSE, PATIENCE);
    Bed.awaitSettled(NAME, NAMESPACE, PATIENCE);
    InstallBed.serves(NAME, NAMESPACE, pods);
  }

  @Test
  @Order(6)
  void nothingIsLeftAfterThePageAboutUninstalls() throws IOException {
    assertThat(pods).as("the first test").isNotNull();
    Bed.delete(NAMESPACE, List.of(NAME), WAIT);
    Bed.kubectl("delete", "namespace", NAMESPACE, WAIT);
    InstallBed.removeOperator();
    InstallBed.afterTheOperator();
    Bed.awaitHolds(PATIENCE, () -> assertThat(InstallBed.leftOfExaplane(NAMESPACE)).isEmpty());
  }

  private static String digest() {
    Pod pod = Bed.CLIENT.pods().inNamespace(Bed.OPERATOR_NAMESPACE).withName(Bed.leader()).get();
    String id = pod.getStatus().getContainerStatuses().getFirst().getImageID();
    return id.substring(id.indexOf('@'));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
