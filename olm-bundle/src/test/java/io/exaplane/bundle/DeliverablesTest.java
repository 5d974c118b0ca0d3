// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What is delivered is up to date, and the ways to install it grant and run the same. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DeliverablesTest {
  private static final String CONTAINER = "/spec/template/spec/containers/0";

  // First, since './exa generate' lets it write what the others read.
  @Test
  @Order(1)
  void committedFilesAreUpToDate() throws IOException {
    Map<String, String> files = Deliverables.generate();
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = Deliverables.ROOT.resolve(file.getKey());
      if (Boolean.getBoolean("exa.generate")) {
        Files.createDirectories(path.getParent());
        Files.writeString(path, file.getValue());
      }
      assertThat(path)
          .as("%s: run './exa generate' and commit the result", file.getKey())
          .hasContent(file.getValue());
    }
    Set<String> leftOver = Deliverables.leftOver(files.keySet());
    if (Boolean.getBoolean("exa.generate")) {
      for (String file : leftOver) {
        Files.delete(Deliverables.ROOT.resolve(file));
      }
    } else {
      assertThat(leftOver).as("files that nothing writes: run './exa generate'").isEmpty();
    }
  }

  @Test
  void theBundleGrantsWhatTheManifestsGrant() throws IOException {
    Set<String> bundle = new TreeSet<>();
    JsonNode spec = csv().at("/spec/install/spec");
    spec.path("clusterPermissions").forEach(p -> addRules(p.path("rules"), bundle));
    Set<String> manifests = new TreeSet<>();
    for (JsonNode object : manifests()) {
      if (object.get("kind").asText().equals("ClusterRole")) {
        addRules(object.get("rules"), manifests);
      }
    }
    assertThat(bundle).isEqualTo(manifests).isNotEmpty();
    assertThat(bundle).noneMatch(rule -> rule.contains("*"));
  }

  /** Other operators have a ControlPlane, too. */
  @Test
  void objectsOfTheClusterCarryTheProductsName() throws IOException {
    List<JsonNode> roles =
        manifests().stream()
            .filter(object -> object.get("kind").asText().startsWith("ClusterRole"))
            .toList();
    assertThat(roles)
        .hasSizeGreaterThan(4)
        .extracting(role -> role.at("/metadata/name").asText())
        .allMatch(name -> name.startsWith("exaplane-"));
    Set<String> names = new TreeSet<>();
    roles.forEach(role -> names.add(role.at("/metadata/name").asText()));
    assertThat(roles)
        .filteredOn(role -> role.has("roleRef"))
        .isNotEmpty()
        .allMatch(binding -> names.contains(binding.at("/roleRef/name").asText()));
  }

  /** One file has what the folders have. */
  @Test
  void installYamlIsTheApiTypesAndTheManifests() throws IOException {
    List<JsonNode> all = new ArrayList<>();
    for (Crd crd : Crd.all()) {
      all.add(crd.definition());
    }
    all.addAll(manifests());
    assertThat(
            Deliverables.documents(
                Files.readString(Deliverables.ROOT.resolve(Deliverables.INSTALL))))
        .isEqualTo(all);
  }

  /** A node with an older image of the same tag would run that for ever. */
  @Test
  void aSnapshotIsPulledEachTime() throws IOException {
    JsonNode inBundle =
        csv().at("/spec/install/spec/deployments/0/spec/template/spec/containers/0");
    for (JsonNode container : List.of(ofKind("Deployment").at(CONTAINER), inBundle)) {
      assertThat(container.get("imagePullPolicy").asText())
          .isEqualTo(
              container.get("image").asText().endsWith("-SNAPSHOT") ? "Always" : "IfNotPresent");
    }
    assertThat(PodTemplate.pullPolicy("quay.io/exaplane/operator:0.1.0-SNAPSHOT"))
        .isEqualTo("Always");
    assertThat(PodTemplate.pullPolicy("quay.io/exaplane/operator:0.1.0")).isEqualTo("IfNotPresent");
  }

  /** Of what all of a cluster shares the operator changes its own alone. */
  @Test
  void objectsOfTheClusterAreWrittenByName() throws IOException {
    Set<String> granted = new TreeSet<>();
    for (JsonNode object : manifests()) {
      addRules(object.path("rules"), granted);
    }
    assertThat(granted)
        .filteredOn(rule -> Permissions.CLUSTER_GROUPS.stream().anyMatch(rule::startsWith))
        .filteredOn(rule -> !rule.endsWith(" create"))
        .isNotEmpty()
        .allMatch(rule -> rule.matches("\\S+ (get|patch) of .*exaplane-.*"))
        .anyMatch(rule -> rule.contains("patch of [\"exaplane-deletion-protection\""))
        .anyMatch(rule -> rule.contains("patch of [\"exaplane-store-critical\"]"));
  }

  private static void addRules(JsonNode rules, Set<String> tuples) {
    for (JsonNode rule : rules) {
      for (JsonNode group : rule.path("apiGroups")) {
        for (JsonNode resource : rule.path("resources")) {
          for (JsonNode verb : rule.path("verbs")) {
            tuples.add(
                group.asText()
                    + "/"
                    + resource.asText()
                    + " "
                    + verb.asText()
                    + (rule.has("resourceNames") ? " of " + rule.get("resourceNames") : ""));
          }
        }
      }
    }
  }

  @Test
  void theBundleRunsTheSamePod() throws IOException {
    JsonNode inManifests =
        manifests().stream()
            .filter(object -> object.get("kind").asText().equals("Deployment"))
            .findFirst()
            .orElseThrow()
            .at(CONTAINER);
    JsonNode inBundle =
        csv().at("/spec/install/spec/deployments/0/spec/template/spec/containers/0");
    // OLM says by its own annotation which namespaces to watch; the bundle supports all of them
    // only.
    assertThat(withoutNamespaces(inBundle)).isEqualTo(withoutNamespaces(inManifests));
    assertThat(csv().at("/metadata/annotations/containerImage")).isEqualTo(inBundle.get("image"));
  }

  /** Whoever breaks into the operator has neither root, nor a file system, nor a capability. */
  @Test
  void everyPodIsRestricted() throws IOException {
    List<JsonNode> pods = new ArrayList<>();
    for (JsonNode object : manifests()) {
      if (object.at("/spec/template/spec").isObject()) {
        pods.add(object.at("/spec/template/spec"));
      }
    }
    csv()
        .at("/spec/install/spec/deployments")
        .forEach(deployment -> pods.add(deployment.at("/spec/template/spec")));
    assertThat(pods).hasSize(2);
    for (JsonNode pod : pods) {
      assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
      assertThat(pod.at("/securityContext/runAsUser").asInt()).isPositive();
      assertThat(pod.at("/securityContext/seccompProfile/type").asText())
          .isEqualTo("RuntimeDefault");
      for (String field : List.of("hostNetwork", "hostPID", "hostIPC")) {
        assertThat(pod.path(field).asBoolean()).as(field).isFalse();
      }
      assertThat(pod.path("volumes"))
          .allMatch(volume -> volume.has("emptyDir") || volume.has("secret"));
      for (JsonNode container : pod.get("containers")) {
        JsonNode context = container.get("securityContext");
        assertThat(context.get("allowPrivilegeEscalation").asBoolean(true)).isFalse();
        assertThat(context.get("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(context.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
        assertThat(context.at("/capabilities/add").isMissingNode()).isTrue();
        assertThat(container.findValuesAsText("mountPath")).contains("/tmp");
      }
    }
    assertThat(manifests().getFirst().at("/metadata/labels").toString())
        .contains("\"pod-security.kubernetes.io/enforce\":\"restricted\"");
  }

  /** A leader and a standby, on two nodes where there are two, of which a drain takes one. */
  @Test
  void everyWayToInstallGivesAStandby() throws IOException {
    JsonNode inManifests = ofKind("Deployment").get("spec");
    JsonNode inBundle = csv().at("/spec/install/spec/deployments/0/spec");
    for (JsonNode deployment : List.of(inManifests, inBundle)) {
      assertThat(deployment.get("replicas").asInt()).isEqualTo(2);
      assertThat(deployment.at("/strategy/type").asText()).isEqualTo("RollingUpdate");
      assertThat(deployment.at("/strategy/rollingUpdate/maxUnavailable").asText()).isEqualTo("0%");
      JsonNode constraints = deployment.at("/template/spec/topologySpreadConstraints");
      assertThat(constraints.findValuesAsText("topologyKey"))
          .containsExactly("kubernetes.io/hostname", "topology.kubernetes.io/zone");
      assertThat(constraints.findValuesAsText("whenUnsatisfiable"))
          .as("both start on one node, too")
          .containsOnly("ScheduleAnyway");
      assertThat(constraints).allMatch(each -> selects(each.get("labelSelector"), deployment));
    }
    JsonNode ofBundle =
        Deliverables.YAML.readTree(Deliverables.ROOT.resolve(Bundle.BUDGET).toFile());
    JsonNode ofManifests = ofKind("PodDisruptionBudget");
    assertThat(ofManifests.at("/metadata/namespace").asText()).isEqualTo("exaplane-system");
    for (JsonNode budget : List.of(ofManifests, ofBundle)) {
      assertThat(budget.at("/spec/maxUnavailable").asInt()).isEqualTo(1);
      assertThat(selects(budget.at("/spec/selector"), inManifests)).isTrue();
      assertThat(selects(budget.at("/spec/selector"), inBundle)).isTrue();
    }
  }

  private static boolean selects(JsonNode selector, JsonNode deployment) {
    JsonNode labels = deployment.at("/template/metadata/labels");
    return !selector.get("matchLabels").isEmpty()
        && selector.get("matchLabels").properties().stream()
            .allMatch(label -> label.getValue().equals(labels.get(label.getKey())));
  }

  private static JsonNode ofKind(String kind) throws IOException {
    return manifests().stream()
        .filter(object -> object.get("kind").asText().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode withoutNamespaces(JsonNode container) {
    ObjectNode copy = container.deepCopy();
    ArrayNode environment = copy.putArray("env");
    container
        .get("env")
        .forEach(
            variable -> {
              if (!variable.get("name").asText().endsWith("_NAMESPACES")) {
                environment.add(variable);
              }
            });
    return copy;
  }

  private static JsonNode csv() throws IOException {
    return Deliverables.YAML.readTree(Deliverables.ROOT.resolve(Bundle.CSV).toFile());
  }

  private static List<JsonNode> manifests() throws IOException {
    return Deliverables.documents(
        Files.readString(Deliverables.ROOT.resolve(Deliverables.MANIFESTS)));
  }
}
