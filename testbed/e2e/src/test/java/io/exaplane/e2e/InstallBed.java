// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The cluster for tests of the ways to install: it is freed of Exaplane, gets a control plane, and
 * is asked for what is left.
 */
final class InstallBed {
  static final Duration PATIENCE = Duration.ofMinutes(4);
  static final String WAIT = "--timeout=240s";

  private static final Duration CREATION = Duration.ofMinutes(6);
  private static final String OPERATOR = "deployment/exaplane-operator";
  private static final String MANIFEST =
      Bed.HOME.resolve("config/manifests/operator.yaml").toString();

  private InstallBed() {}

  /** Removes all control planes, what 'exa up' installed, and the types. */
  static void nothingOfExaplane() throws IOException {
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
    Bed.awaitHolds(PATIENCE, () -> assertThat(leftOfExaplane("")).isEmpty());
  }

  /** A control plane in a namespace of its own, which has settled. */
  static void create(String name, String namespace) {
    Bed.kubectl("create", "namespace", namespace);
    Bed.apply(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: ControlPlane
        metadata: {name: %s, namespace: %s}
        spec: {version: "%s", maxNodes: 100, storage: {deletion: Delete}}
        """
            .formatted(name, namespace, Bed.VERSION));
    Bed.awaitSettled(name, namespace, CREATION);
  }

  static void operatorLeads() {
    Bed.kubectl("-n", Bed.OPERATOR_NAMESPACE, "rollout", "status", OPERATOR, WAIT);
    Bed.awaitLeader(PATIENCE);
  }

  /** Its API answers, by the same pods as at the beginning. */
  static void serves(String name, String namespace, Map<String, String> before) {
    Bed.awaitHolds(
        PATIENCE,
        () -> assertThat(Bed.hosted(name, namespace, "get", "--raw", "/readyz")).isEqualTo("ok"));
    assertThat(pods(namespace)).as("pods and their restarts").isEqualTo(before);
  }

  static Map<String, String> pods(String namespace) {
    return Bed.CLIENT.pods().inNamespace(namespace).list().getItems().stream()
        .collect(
            Collectors.toMap(
                pod -> pod.getMetadata().getName(),
                pod ->
                    pod.getMetadata().getUid()
                        + pod.getStatus().getContainerStatuses().stream()
                            .map(each -> " " + each.getRestartCount())
                            .collect(Collectors.joining())));
  }

  /** The commands of docs/uninstall.md for what outlives an operator: types, then policies. */
  static void afterTheOperator() throws IOException {
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

  static void removeOperator() {
    Bed.kubectl("delete", "--ignore-not-found", "-f", MANIFEST, WAIT);
    // A release that a run before left behind.
    Bed.kubectl("delete", "namespace", Bed.OPERATOR_NAMESPACE, "--ignore-not-found", WAIT);
  }

  private static boolean hasTypes() {
    return !types().isEmpty();
  }

  static List<String> types() {
    return Bed.kubectl("get", "crd", "-o", "name")
        .lines()
        .filter(line -> line.endsWith(".exaplane.io"))
        .map(line -> line.replaceFirst(".*/", ""))
        .toList();
  }

  /** Objects of the whole cluster, and namespaces, also that one. */
  static List<String> leftOfExaplane(String namespace) {
    String kinds =
        "crd,clusterrole,clusterrolebinding,validatingadmissionpolicy,validatingadmissionpolicybinding,priorityclass,namespace";
    return Bed.kubectl("get", kinds, "-o", "name")
        .lines()
        .filter(line -> line.contains("exaplane") || line.equals("namespace/" + namespace))
        .toList();
  }

  static String helm(String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Machine.environment("EXA_HELM"),
                "--kubeconfig=" + Bed.KUBECONFIG,
                "--namespace=" + Bed.OPERATOR_NAMESPACE));
    command.addAll(List.of(words));
    return passes(command);
  }

  static String passes(List<String> command) {
    Bed.Run run = Bed.run(command);
    assertThat(run.exit()).as("%s%n%s", command, run.output()).isZero();
    return run.output();
  }
}
