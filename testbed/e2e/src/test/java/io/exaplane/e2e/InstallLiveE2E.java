// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.testbed.machine.Machine;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Duration CREATION = Duration.ofMinutes(6);
  private static final String NAME = "ways";
  private static final String NAMESPACE = "install-live";
  private static final String RELEASE = "exaplane";
  private static final String OPERATOR = "deployment/exaplane-operator";
  private static final String CHART = Bed.HOME.resolve("config/helm/exaplane").toString();
  private static final String MANIFEST =
      Bed.HOME.resolve("config/manifests/operator.yaml").toString();
  private static final String WAIT = "--timeout=240s";

  /** Of the operator, the store and the scheduler, as the launcher pushed them. */
  private static final List<String> IMAGES =
      List.of(System.getProperty("exa.images", "").split(","));

  private static Map<String, String> pods;

  @BeforeAll
  static void nothingOfExaplane() throws IOException {
    assertThat(IMAGES).as("-Dexa.images=OPERATOR,STORE,SCHEDULER").hasSize(3);
    if (hasTypes()) {
      Bed.kubectl("delete", "cpltask,npool,spool", "--all", "--all-namespaces", WAIT);
      for (ControlPlane each :
          Bed.CLIENT.resources(ControlPlane.class).inAnyNamespace().list().getItems()) {
        Bed.delete(each.getMetadata().getNamespace(), List.of(each.getMetadata().getName()), WAIT);
      }
    }
    removeOperator();
    if (hasTypes()) {
      afterTheOperator();
    }
    Bed.awaitHolds(PATIENCE, () -> assertThat(leftOfExaplane()).isEmpty());
  }

  @Test
  @Order(1)
  void aControlPlaneIsAvailableAfterHelmsInstall() {
    helm(
        "install",
        RELEASE,
        CHART,
        "--create-namespace",
        "--set",
        "images.operator=%s,images.store=%s,images.scheduler=%s"
            .formatted(IMAGES.get(0), IMAGES.get(1), IMAGES.get(2)));
    operatorLeads();
    assertThat(helm("test", RELEASE, "--logs"))
        .containsPattern("(?s)exaplane-test-ready.*Succeeded");
    Bed.kubectl("create", "namespace", NAMESPACE);
    Bed.apply(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: ControlPlane
        metadata: {name: %s, namespace: %s}
        spec: {version: "%s", maxNodes: 100, storage: {deletion: Delete}}
        """
            .formatted(NAME, NAMESPACE, Bed.VERSION));
    Bed.awaitSettled(NAME, NAMESPACE, CREATION);
    pods = pods();
    assertThat(pods).hasSizeGreaterThan(3);
  }

  /** The other image is the same one by its digest: another bundle, which waits for its user. */
  @Test
  @Order(2)
  void anUpgradeReplacesTheOperatorAndNoPodOfTheControlPlane() {
    assertThat(pods).as("the test before").isNotNull();
    helm(
        "upgrade",
        RELEASE,
        CHART,
        "--reset-then-reuse-values",
        "--set",
        "images.operator=" + IMAGES.getFirst() + digest());
    operatorLeads();
    Bed.awaitCondition(
        NAME, NAMESPACE, ConditionType.OperatorUpdatePending, Condition.TRUE, PATIENCE);
    serves();
  }

  @Test
  @Order(3)
  void anUninstallKeepsTheTypesNamesThemAndTheApiAnswers() {
    assertThat(pods).as("the first test").isNotNull();
    String said = helm("uninstall", RELEASE, "--wait", "--timeout=4m");
    for (String type : types()) {
      assertThat(said).contains("[CustomResourceDefinition] " + type);
    }
    assertThat(types()).hasSize(5);
    Bed.awaitHolds(
        PATIENCE,
        () ->
            assertThat(
                    Bed.kubectl(
                        "-n", Bed.OPERATOR_NAMESPACE, "get", "deploy,svc,pdb", "-o", "name"))
                .doesNotContain("/"));
    assertThat(Bed.kubectl("get", "clusterrole,clusterrolebinding", "-o", "name"))
        .doesNotContain("exaplane-");
    serves();
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
    removeOperator();
    assertThat(types()).hasSize(5);
    serves();
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
    operatorLeads();
    Bed.awaitCondition(
        NAME, NAMESPACE, ConditionType.OperatorUpdatePending, Condition.FALSE, PATIENCE);
    Bed.awaitSettled(NAME, NAMESPACE, PATIENCE);
    serves();
  }

  @Test
  @Order(6)
  void nothingIsLeftAfterThePageAboutUninstalls() throws IOException {
    assertThat(pods).as("the first test").isNotNull();
    Bed.delete(NAMESPACE, List.of(NAME), WAIT);
    Bed.kubectl("delete", "namespace", NAMESPACE, WAIT);
    removeOperator();
    afterTheOperator();
    Bed.awaitHolds(PATIENCE, () -> assertThat(leftOfExaplane()).isEmpty());
  }

  /** The commands of docs/uninstall.md for what outlives an operator: types, then policies. */
  private static void afterTheOperator() throws IOException {
    List<String> commands =
        Files.readAllLines(Bed.HOME.resolve("docs/uninstall.md")).stream()
            .map(String::strip)
            .filter(
                line ->
                    line.matches(
                        "(for crd in |kubectl delete"
                            + " (crd|validatingadmissionpolic|priorityclass)).*"))
            .toList();
    assertThat(commands).as("commands of the page").hasSize(5);
    Path kubectl = Bed.CACHE.resolve("kube-" + Bed.VERSION);
    for (String command : commands) {
      passes(
          List.of(
              "bash",
              "-c",
              "export PATH='%s':$PATH KUBECONFIG='%s'; %s"
                  .formatted(kubectl, Bed.KUBECONFIG, command)));
    }
  }

  private static void removeOperator() {
    Bed.kubectl("delete", "--ignore-not-found", "-f", MANIFEST, WAIT);
    // A release that a run before left behind.
    Bed.kubectl("delete", "namespace", Bed.OPERATOR_NAMESPACE, "--ignore-not-found", WAIT);
  }

  private static boolean hasTypes() {
    return !types().isEmpty();
  }

  private static List<String> types() {
    return Bed.kubectl("get", "crd", "-o", "name")
        .lines()
        .filter(line -> line.endsWith(".exaplane.io"))
        .map(line -> line.replaceFirst(".*/", ""))
        .toList();
  }

  /** Objects of the whole cluster, and namespaces. */
  private static List<String> leftOfExaplane() {
    String kinds =
        "crd,clusterrole,clusterrolebinding,validatingadmissionpolicy,validatingadmissionpolicybinding,priorityclass,namespace";
    return Bed.kubectl("get", kinds, "-o", "name")
        .lines()
        .filter(line -> line.contains("exaplane") || line.endsWith("/" + NAMESPACE))
        .toList();
  }

  private static void operatorLeads() {
    Bed.kubectl("-n", Bed.OPERATOR_NAMESPACE, "rollout", "status", OPERATOR, WAIT);
    Bed.awaitLeader(PATIENCE);
  }

  /** Its API answers, by the same pods as at the beginning. */
  private static void serves() {
    Bed.awaitHolds(
        PATIENCE,
        () -> assertThat(Bed.hosted(NAME, NAMESPACE, "get", "--raw", "/readyz")).isEqualTo("ok"));
    assertThat(pods()).as("pods and their restarts").isEqualTo(pods);
  }

  private static Map<String, String> pods() {
    return Bed.CLIENT.pods().inNamespace(NAMESPACE).list().getItems().stream()
        .collect(
            Collectors.toMap(
                pod -> pod.getMetadata().getName(),
                pod ->
                    pod.getMetadata().getUid()
                        + pod.getStatus().getContainerStatuses().stream()
                            .map(each -> " " + each.getRestartCount())
                            .collect(Collectors.joining())));
  }

  private static String digest() {
    Pod pod = Bed.CLIENT.pods().inNamespace(Bed.OPERATOR_NAMESPACE).withName(Bed.leader()).get();
    String id = pod.getStatus().getContainerStatuses().getFirst().getImageID();
    return id.substring(id.indexOf('@'));
  }

  private static String helm(String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Machine.environment("EXA_HELM"),
                "--kubeconfig=" + Bed.KUBECONFIG,
                "--namespace=" + Bed.OPERATOR_NAMESPACE));
    command.addAll(List.of(words));
    return passes(command);
  }

  private static String passes(List<String> command) {
    Bed.Run run = Bed.run(command);
    assertThat(run.exit()).as("%s%n%s", command, run.output()).isZero();
    return run.output();
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
