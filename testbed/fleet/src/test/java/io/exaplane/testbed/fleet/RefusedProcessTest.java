// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Kubernetes;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Line 31 on a real API server: in each namespace a policy refuses another kind of object, or
 * another verb, and the right to read nodes is taken away. Who refuses is named where a person
 * looks, and all goes on when that is over.
 */
@Tag("long")
class RefusedProcessTest {
  private static final Duration MOST = Duration.ofMinutes(5);
  private static final String STORE = "demo-default";
  private static final Duration INTERVAL = Duration.ofSeconds(20);

  /**
   * What is refused.
   *
   * @param namespace in which
   * @param resource of which kind; "controlplanes" are kept from getting their finalizer
   * @param words of the condition or Event that tells of it, beside the policy's
   */
  private record Case(String namespace, String resource, String words) {
    String policy() {
      return "refuse-" + namespace;
    }
  }

  private static final List<Case> CREATED =
      List.of(
          new Case("r-services", "services", "Service demo-apiserver"),
          new Case("r-secrets", "secrets", "Secret demo-"),
          new Case("r-configmaps", "configmaps", "ConfigMap demo-"),
          new Case("r-budgets", "poddisruptionbudgets", "PodDisruptionBudget demo-"),
          new Case("r-stores", "storeshards", "StoreShard demo-"),
          new Case("r-sets", "statefulsets", "StatefulSet demo-"),
          new Case("r-pods", "pods", "ask its owner for an exception"),
          new Case("r-planes", "controlplanes", "ControlPlane demo"),
          new Case("r-statuses", "controlplanes/status", "the status of ControlPlane demo"));

  private static final List<Case> DELETED =
      List.of(
          new Case("d-stores", "storeshards", "delete StoreShard demo-"),
          new Case("d-planes", "controlplanes", "change ControlPlane demo"));

  @TempDir private Path folder;
  private KubernetesClient client;

  @Test
  void whoRefusesIsNamedAndAllGoesOnAfterwards() throws Exception {
    try (Management cluster = Management.start(folder);
        OperatorProcess operator =
            OperatorProcess.start(
                "operator-a",
                folder,
                cluster.operatorKubeconfig(),
                Management.shippedLimitBytes(),
                INTERVAL)) {
      client = cluster.client();
      for (Case each : CREATED) {
        policy(each, List.of("CREATE", "UPDATE"));
        namespace(each.namespace());
        bind(each);
      }
      for (Case each : DELETED) {
        namespace(each.namespace());
        create(each.namespace(), "ClusterIP");
      }
      for (Case each : CREATED) {
        settled(each);
      }
      CREATED.forEach(each -> create(each.namespace(), "ClusterIP"));
      until(operator, CREATED, each -> told(each).contains(each.words()));
      CREATED.forEach(this::unbind);
      until(operator, CREATED, each -> isOver(each) && isWhole(each.namespace()));
      removals(operator);
      noNodes(operator);
      assertThat(operator.lives()).as(operator.lastWords()).isTrue();
    }
  }

  /** A removal that is refused says so in Deleting, also when only the finalizer is left. */
  private void removals(OperatorProcess operator) throws Exception {
    until(operator, DELETED, each -> isWhole(each.namespace()));
    for (Case each : DELETED) {
      policy(each, each.resource().equals("storeshards") ? List.of("DELETE") : List.of("UPDATE"));
      bind(each);
      settled(each);
      client.resources(ControlPlane.class).inNamespace(each.namespace()).withName("demo").delete();
    }
    until(
        operator,
        DELETED,
        each ->
            conditions(each.namespace())
                .anyMatch(
                    condition ->
                        condition.type().equals("Deleting")
                            && condition.reason().equals("WriteRefused")
                            && condition.message().contains(each.policy())
                            && condition.message().contains(each.words())));
    DELETED.forEach(this::unbind);
    until(operator, DELETED, each -> controlPlane(each.namespace()) == null);
  }

  /** The right to read one kind is lost: what stands on it stays, and says why. */
  private void noNodes(OperatorProcess operator) throws Exception {
    Case nodes = new Case("no-nodes", "nodes", "RBAC refuses to read Node");
    namespace(nodes.namespace());
    create(nodes.namespace(), "NodePort");
    until(operator, List.of(nodes), each -> isWhole(each.namespace()));
    List<ClusterRole> roles =
        client
            .rbac()
            .clusterRoles()
            .withLabel("app.kubernetes.io/name", "exaplane-operator")
            .list()
            .getItems();
    for (ClusterRole role : roles) {
      ClusterRole less =
          new ClusterRoleBuilder(role)
              .withRules(
                  role.getRules().stream()
                      .filter(rule -> !rule.getResources().contains("nodes"))
                      .toList())
              .build();
      less.getMetadata().setResourceVersion(null);
      client.resource(less).update();
    }
    until(operator, List.of(nodes), each -> refusals(each).contains(each.words()));
    for (ClusterRole role : roles) {
      role.getMetadata().setResourceVersion(null);
      client.resource(role).update();
    }
    until(operator, List.of(nodes), each -> !refusals(each).contains(each.words()));
  }

  private void until(OperatorProcess operator, List<Case> cases, Predicate<Case> holds)
      throws InterruptedException {
    for (Case each : cases) {
      Await.until(
          MOST,
          each.toString(),
          () -> holds.test(each),
          () -> "told: " + told(each) + "; the operator: " + operator.lastWords());
    }
  }

  /** What conditions of the control plane and its stores, and Events, say of a refusal. */
  private String told(Case each) {
    List<String> all = new ArrayList<>();
    Stream.concat(
            conditions(each.namespace()),
            client
                .resources(StoreShard.class)
                .inNamespace(each.namespace())
                .list()
                .getItems()
                .stream()
                .filter(shard -> shard.getStatus() != null)
                .flatMap(shard -> shard.getStatus().conditions().stream()))
        .filter(condition -> condition.message().contains(each.policy()))
        .map(Condition::message)
        .forEach(all::add);
    if (each.resource().startsWith("controlplanes")) {
      client.v1().events().inNamespace(each.namespace()).list().getItems().stream()
          .filter(event -> event.getReason().equals("WriteRefused"))
          .map(event -> event.getMessage())
          .filter(message -> message.contains(each.policy()))
          .forEach(all::add);
    }
    return String.join("\n", all);
  }

  private String refusals(Case each) {
    return conditions(each.namespace())
        .filter(condition -> condition.type().equals("ReconciliationActive"))
        .map(Condition::message)
        .findFirst()
        .orElse("");
  }

  private boolean isOver(Case each) {
    return conditions(each.namespace())
        .noneMatch(condition -> condition.message().contains(each.policy()));
  }

  /** Whether what can be made without running pods is made. */
  private boolean isWhole(String namespace) {
    return controlPlane(namespace).getStatus() != null
        && client.services().inNamespace(namespace).withName("demo-apiserver").get() != null
        && client.secrets().inNamespace(namespace).withName("demo-ca").get() != null
        && client.apps().statefulSets().inNamespace(namespace).withName(STORE).get() != null;
  }

  private Stream<Condition> conditions(String namespace) {
    ControlPlane found = controlPlane(namespace);
    return found == null || found.getStatus() == null || found.getStatus().conditions() == null
        ? Stream.empty()
        : found.getStatus().conditions().stream();
  }

  private ControlPlane controlPlane(String namespace) {
    return client.resources(ControlPlane.class).inNamespace(namespace).withName("demo").get();
  }

  private void namespace(String name) {
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
  }

  private void create(String namespace, String endpoint) {
    client
        .resource(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: ControlPlane
            metadata: {name: demo, namespace: %s, annotations: {exaplane.io/allow-deletion: demo}}
            spec: {version: %s, maxNodes: 10, endpoint: {type: %s}}
            """
                .formatted(namespace, Kubernetes.version(), endpoint))
        .create();
  }

  /** Refuses what only the operator, or a controller, writes. */
  private void policy(Case each, List<String> operations) {
    boolean creates = !each.resource().equals("controlplanes");
    client
        .resource(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: %s}
            spec:
              failurePolicy: Fail
              matchConstraints:
                resourceRules:
                - {apiGroups: ['*'], apiVersions: ['*'], operations: [%s], resources: [%s]}
                # By these the test asks whether the policy is in force: nobody else makes any.
                - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [limitranges]}
              validations: [{expression: 'false', message: not in this namespace}]
            """
                .formatted(
                    each.policy(),
                    String.join(", ", creates ? operations : List.of("UPDATE")),
                    each.resource()))
        .create();
  }

  private void bind(Case each) {
    client
        .resource(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: %1$s-%2$s}
            spec:
              policyName: %1$s
              validationActions: [Deny]
              matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %2$s}}}
            """
                .formatted(each.policy(), each.namespace()))
        .create();
  }

  private void unbind(Case each) {
    client
        .resources(ValidatingAdmissionPolicyBinding.class)
        .withName(each.policy() + "-" + each.namespace())
        .delete();
  }

  /** Until the API server goes by a policy: it learns of one in a moment. */
  private void settled(Case each) throws InterruptedException {
    Await.until(
        MOST,
        "the policy is in force",
        () -> {
          try {
            tryOut(each);
            return false;
          } catch (KubernetesClientException e) {
            return e.getMessage().contains(each.policy());
          }
        },
        () -> each);
  }

  /** The request that a policy refuses, without its effect. */
  private void tryOut(Case each) {
    switch (each.namespace()) {
      case "d-planes" ->
          client
              .resources(ControlPlane.class)
              .inNamespace(each.namespace())
              .withName("demo")
              .dryRun()
              .edit(RefusedProcessTest::marked);
      case "d-stores" -> {
        var store =
            client.resources(StoreShard.class).inNamespace(each.namespace()).withName(STORE);
        store.edit(shard -> allowed(shard));
        store.dryRun().delete();
      }
      default ->
          client
              .resource(
                  """
                  apiVersion: v1
                  kind: LimitRange
                  metadata: {name: probe, namespace: %s}
                  spec: {limits: [{type: Container, max: {cpu: "64"}}]}
                  """
                      .formatted(each.namespace()))
              .dryRun()
              .create();
    }
  }

  private static ControlPlane marked(ControlPlane controlPlane) {
    controlPlane.getMetadata().getAnnotations().put("probe", "x");
    return controlPlane;
  }

  private static StoreShard allowed(StoreShard shard) {
    shard.getMetadata().getAnnotations().put("exaplane.io/allow-deletion", STORE);
    return shard;
  }
}
