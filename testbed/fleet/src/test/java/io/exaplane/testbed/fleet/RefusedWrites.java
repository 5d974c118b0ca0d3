// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.cli.fleet.Fleet;
import io.exaplane.cli.fleet.FleetNames;
import io.exaplane.testbed.machine.Kubernetes;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Issue 28, line 31: somebody's policy refuses all writes of one kind of object, another kind in
 * each namespace. What does not follow from that kind is made all the same, a condition names
 * object, verb and policy, and all is made when the policy is gone.
 *
 * <p>The namespaces take only pods of the level restricted, and have a quota, so that pods without
 * requests and limits are refused (lines 11 and 35). Used by one thread.
 */
final class RefusedWrites {
  private static final String POLICY =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingAdmissionPolicy
      metadata: {name: refuse-%1$s}
      spec:
        failurePolicy: Fail
        matchConstraints:
          namespaceSelector: {matchLabels: {refused: %1$s}}
          resourceRules:
          - {apiGroups: ['%2$s'], apiVersions: ['*'], operations: [CREATE, UPDATE], resources: [%3$s]}
          # By these the test asks whether the policy is in force.
          - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [serviceaccounts]}
        validations:
        - {expression: 'false', message: rule of the team}
      """;

  private static final String BINDING =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingAdmissionPolicyBinding
      metadata: {name: refuse-%1$s}
      spec: {policyName: refuse-%1$s, validationActions: [Deny]}
      """;

  /** What a control plane and its stores consist of. */
  private static final List<Kind> MADE =
      List.of(
          new Kind("v1", "ConfigMap"),
          new Kind("v1", "PersistentVolumeClaim"),
          new Kind("v1", "Secret"),
          new Kind("v1", "Service"),
          new Kind("exaplane.io/v1alpha1", "StoreShard"),
          new Kind("apps/v1", "Deployment"),
          new Kind("apps/v1", "StatefulSet"),
          new Kind("policy/v1", "PodDisruptionBudget"));

  private record Kind(String apiVersion, String kind) {}

  /**
   * What is refused, and what then cannot be there.
   *
   * @param group of the resource, "" for the core
   * @param told whose refusal is told, as a pattern; "" if nobody needs to know
   * @param lacking what is not made, as a pattern of "Kind/name"; all else is
   */
  private record Row(String name, String group, String resource, String told, String lacking) {}

  /** Without addresses there are no certificates, and without a status nothing is remembered. */
  private static final List<Row> ROWS =
      List.of(
          new Row(
              "budgets",
              "policy",
              "poddisruptionbudgets",
              "PodDisruptionBudget",
              "PodDisruptionBudget/.*"),
          new Row("configmaps", "", "configmaps", "ConfigMap", "ConfigMap/.*"),
          new Row("events", "", "events", "", ""),
          new Row(
              "secrets", "", "secrets", "Secret", "(Secret|StatefulSet|PersistentVolumeClaim)/.*"),
          new Row(
              "services",
              "",
              "services",
              "Service",
              "(Service|Secret|StatefulSet|PersistentVolumeClaim)/.*"),
          new Row(
              "sets",
              "apps",
              "statefulsets",
              "StatefulSet",
              "(StatefulSet|PersistentVolumeClaim)/.*"),
          new Row(
              "shards",
              "exaplane.io",
              "storeshards",
              "StoreShard",
              "\\w+/(data-)?bench-(default|events).*"),
          new Row(
              "statuses",
              "exaplane.io",
              "controlplanes/status",
              "the status of ControlPlane",
              ".*"));

  private final KubernetesClient client;
  private final Watch watch;
  private final FleetNames names;

  RefusedWrites(Management cluster, Watch watch, int first) {
    this.client = cluster.client();
    this.watch = watch;
    this.names = new FleetNames("fleet", "refused", first, ROWS.size());
  }

  /**
   * Each of them stops nothing else.
   *
   * @param whole namespace of a control plane that lacks nothing
   */
  void stopNothingElse(String whole) throws Exception {
    try (Fleet fleet = new Fleet(client, names)) {
      fleet.createNamespaces();
      each(this::refuse);
      each(
          (row, namespace) ->
              watch.until(
                  "policy refuse-%s is in force".formatted(row.name()),
                  () -> isInForce(namespace)));
      fleet.create(Kubernetes.version());
      Set<String> all = made(whole);
      each(
          (row, namespace) -> {
            Set<String> expected = new TreeSet<>(all);
            expected.removeIf(one -> one.matches(row.lacking()));
            until(
                "a policy refuses %s; the operator makes all else, and tells of the refusal"
                    .formatted(row.name()),
                namespace,
                () -> made(namespace).containsAll(expected) && isTold(row, namespace));
          });
      each((row, _) -> allow(row));
      each(
          (row, namespace) ->
              until(
                  "all is made where %s were refused".formatted(row.name()),
                  namespace,
                  () -> made(namespace).equals(all) && havePods(namespace)));
      fleet.delete();
      watch.until("those that were refused are gone", () -> fleet.left() == 0);
    }
  }

  private interface Act {
    void on(Row row, String namespace) throws Exception;
  }

  private void each(Act act) throws Exception {
    Iterator<String> namespaces = names.namespaces().iterator();
    for (Row row : ROWS) {
      act.on(row, namespaces.next());
    }
  }

  private void refuse(Row row, String namespace) {
    client
        .namespaces()
        .withName(namespace)
        .edit(
            there -> {
              there
                  .getMetadata()
                  .getLabels()
                  .putAll(
                      Map.of(
                          "refused",
                          row.name(),
                          "pod-security.kubernetes.io/enforce",
                          "restricted"));
              return there;
            });
    Quantity much = new Quantity("1000Gi");
    client
        .resource(
            new ResourceQuotaBuilder()
                .withNewMetadata()
                .withName("of-all")
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .withHard(
                    Map.of(
                        "requests.cpu", much,
                        "requests.memory", much,
                        "limits.cpu", much,
                        "limits.memory", much))
                .endSpec()
                .build())
        .create();
    client.resource(POLICY.formatted(row.name(), row.group(), row.resource())).create();
    client.resource(BINDING.formatted(row.name())).create();
  }

  private void allow(Row row) {
    client.resource(BINDING.formatted(row.name())).delete();
    client.resource(POLICY.formatted(row.name(), row.group(), row.resource())).delete();
  }

  private boolean isInForce(String namespace) {
    try {
      client
          .resource(
              new ServiceAccountBuilder()
                  .withNewMetadata()
                  .withName("asked")
                  .withNamespace(namespace)
                  .endMetadata()
                  .build())
          .dryRun()
          .create();
      return false;
    } catch (KubernetesClientException e) {
      return e.getMessage().contains("rule of the team");
    }
  }

  private void until(String what, String namespace, BooleanSupplier condition)
      throws InterruptedException {
    try {
      watch.until(what, condition);
    } catch (AssertionError e) {
      throw new AssertionError(
          "%s: there is %s%n%s"
              .formatted(what, made(namespace), String.join("\n", words(namespace))),
          e);
    }
  }

  private boolean isTold(Row row, String namespace) {
    List<String> words = words(namespace);
    assertThat(words).as(row.name()).noneMatch(each -> each.contains("Exception"));
    return row.told().isEmpty()
        || words.stream()
            .anyMatch(
                each ->
                    each.matches(
                        "(?s).*ValidatingAdmissionPolicy refuse-%s refuses to \\w+ %s [\\w.-]+: rule of the team\\. .*ask its owner for an exception.*"
                            .formatted(row.name(), row.told())));
  }

  private Set<String> made(String namespace) {
    Set<String> made = new TreeSet<>();
    for (Kind kind : MADE) {
      list(kind, namespace)
          .forEach(each -> made.add(kind.kind() + "/" + each.getMetadata().getName()));
    }
    return made;
  }

  private List<GenericKubernetesResource> list(Kind kind, String namespace) {
    return client
        .genericKubernetesResources(kind.apiVersion(), kind.kind())
        .inNamespace(namespace)
        .list()
        .getItems();
  }

  /** Whether nobody refuses the pods that the operator describes; none of them runs. */
  private boolean havePods(String namespace) {
    return Stream.concat(
            client.apps().deployments().inNamespace(namespace).list().getItems().stream()
                .map(
                    each ->
                        List.of(
                            each.getSpec().getReplicas(), number(each.getStatus().getReplicas()))),
            client.apps().statefulSets().inNamespace(namespace).list().getItems().stream()
                .map(
                    each ->
                        List.of(
                            each.getSpec().getReplicas(), number(each.getStatus().getReplicas()))))
        .allMatch(replicas -> replicas.getFirst().equals(replicas.getLast()));
  }

  private static int number(Integer replicas) {
    return replicas == null ? 0 : replicas;
  }

  /** What conditions of the control plane and its stores say, and the operator's Events. */
  private List<String> words(String namespace) {
    List<String> words = new ArrayList<>();
    for (String kind : List.of("ControlPlane", "StoreShard")) {
      for (GenericKubernetesResource each :
          list(new Kind("exaplane.io/v1alpha1", kind), namespace)) {
        if (each.get("status", "conditions") instanceof Collection<?> conditions) {
          conditions.forEach(condition -> words.add(kind + " " + condition));
        }
      }
    }
    for (Event event : client.v1().events().inNamespace(namespace).list().getItems()) {
      if ("exaplane-operator".equals(event.getReportingComponent())) {
        words.add("Event " + event.getReason() + " " + event.getMessage());
      }
    }
    return words;
  }
}
