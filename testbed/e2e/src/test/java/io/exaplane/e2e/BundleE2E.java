// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * An operator of another bundle changes no pod by itself. Its images are the same ones under other
 * names, with their digests. By audit log and with other flags, {@code LifeProcessTest} shows the
 * same in the default tier.
 */
@Order(45)
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BundleE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Two stores, two apiservers and the rest, one after the other. */
  private static final Duration MOVE = Duration.ofMinutes(8);

  private static final String DEPLOYMENT = "deployment/exaplane-operator";
  private static final String IN_ITS_NAMESPACE = "--namespace=" + Bed.OPERATOR_NAMESPACE;
  private static String operator;
  private static String store;
  private static String before;

  @BeforeAll
  static void aSettledControlPlane() {
    Demo.settled(PATIENCE);
    before = bundle();
    operator = image("EXAPLANE_OPERATOR_IMAGE");
    store = image("EXAPLANE_STORE_IMAGE");
  }

  @AfterAll
  static void theOperatorAsItWas() {
    operatorOf(operator, store);
    // Also when a move ended halfway.
    Demo.patch("{\"spec\":{\"rollout\":{\"bundle\":\"%s\"}}}".formatted(before));
    Bed.await("the bundle of before", MOVE, () -> before.equals(bundle()));
    Bed.awaitCondition(
        Demo.NAME, Demo.NAMESPACE, ConditionType.OperatorUpdatePending, Condition.FALSE, MOVE);
    Demo.patch("{\"spec\":{\"rollout\":null}}");
    Demo.settled(PATIENCE);
  }

  @Test
  @Order(1)
  void anotherOperatorWritesNoTemplateAndShowsWhatItWouldChange() {
    Map<String, Long> generations = generations();
    Condition pending = anotherOperator();
    assertThat(pending.reason()).isEqualTo("OperatorUpdatePending");
    assertThat(pending.message()).contains("demo-bundle", before, "set spec.rollout.bundle to");
    Bed.await(
        "the stores' differences", PATIENCE, () -> diff("demo-default-store").contains(store));
    Bed.awaitHolds(
        PATIENCE,
        () ->
            assertThat(changes(diff("demo")))
                .as("exactly the difference")
                .containsOnly(
                    "-    image: \"%s\"".formatted(operator),
                    "+    image: \"%s%s\"".formatted(operator, digest(operatorPod()))));
    assertThat(generations()).isEqualTo(generations);
    assertThat(bundle()).isEqualTo(before);
  }

  @Test
  @Order(2)
  void theUserMovesIt() {
    String other =
        anotherOperator()
            .message()
            .replaceFirst("(?s).*set spec.rollout.bundle to ([^ ]+[0-9a-f]).*", "$1");
    Demo.patch("{\"spec\":{\"rollout\":{\"bundle\":\"%s\"}}}".formatted(other));
    Bed.await(
        "the other bundle",
        MOVE,
        () -> other.equals(bundle()),
        () -> Bed.describe(Demo.NAME, Demo.NAMESPACE));
    Demo.settled(PATIENCE);
    assertThat(storePod().getSpec().getContainers().getFirst().getImage()).contains("@sha256:");
    Bed.awaitCondition(
        Demo.NAME, Demo.NAMESPACE, ConditionType.OperatorUpdatePending, Condition.FALSE, PATIENCE);
  }

  /** Installs the other operator, if it is not yet there, and waits until it shows itself. */
  private static Condition anotherOperator() {
    operatorOf(operator + digest(operatorPod()), store + digest(storePod()));
    return Bed.awaitCondition(
        Demo.NAME, Demo.NAMESPACE, ConditionType.OperatorUpdatePending, Condition.TRUE, PATIENCE);
  }

  private static void operatorOf(String operatorImage, String storeImage) {
    Bed.kubectl(
        IN_ITS_NAMESPACE,
        "set",
        "env",
        DEPLOYMENT,
        "EXAPLANE_OPERATOR_IMAGE=" + operatorImage,
        "EXAPLANE_STORE_IMAGE=" + storeImage);
    Bed.kubectl(IN_ITS_NAMESPACE, "rollout", "status", DEPLOYMENT, "--timeout=300s");
    Bed.awaitLeader(PATIENCE);
  }

  private static String image(String variable) {
    return Bed.kubectl(
            IN_ITS_NAMESPACE,
            "get",
            DEPLOYMENT,
            "--output=jsonpath={.spec.template.spec.containers[0].env[?(@.name=='%s')].value}"
                .formatted(variable))
        .strip();
  }

  private static Pod operatorPod() {
    return Bed.CLIENT.pods().inNamespace(Bed.OPERATOR_NAMESPACE).list().getItems().stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .findFirst()
        .orElseThrow();
  }

  private static Pod storePod() {
    return Bed.CLIENT.pods().inNamespace(Demo.NAMESPACE).withName("demo-default-0").get();
  }

  private static String digest(Pod pod) {
    String id = pod.getStatus().getContainerStatuses().getFirst().getImageID();
    return id.substring(id.indexOf('@'));
  }

  private static String bundle() {
    return Bed.controlPlane(Demo.NAME, Demo.NAMESPACE).getStatus().bundle();
  }

  private static String diff(String name) {
    Map<String, String> data =
        Bed.CLIENT
            .configMaps()
            .inNamespace(Demo.NAMESPACE)
            .withName(name + "-bundle")
            .get()
            .getData();
    return data == null ? "" : data.getOrDefault("diff", "");
  }

  private static Stream<String> changes(String diff) {
    return diff.lines().filter(line -> line.matches("[+-] .*"));
  }

  /** Each change of a template is one of the generation. */
  private static Map<String, Long> generations() {
    Map<String, Long> all = new TreeMap<>();
    Stream.concat(
            Bed.CLIENT.apps().deployments().inNamespace(Demo.NAMESPACE).list().getItems().stream(),
            Bed.CLIENT.apps().statefulSets().inNamespace(Demo.NAMESPACE).list().getItems().stream())
        .map(HasMetadata.class::cast)
        .forEach(
            made ->
                all.put(
                    made.getKind() + " " + made.getMetadata().getName(),
                    made.getMetadata().getGeneration()));
    return all;
  }
}
