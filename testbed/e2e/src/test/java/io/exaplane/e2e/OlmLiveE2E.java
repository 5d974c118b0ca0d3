// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * The Operator Lifecycle Manager in pods, by its own chart, and a catalog in an image, on a cluster
 * with nothing of Exaplane: the Subscription of docs/install.md installs the version before, a
 * control plane becomes Available and lives through an upgrade and an uninstall, and a new install
 * takes the control plane over and deletes it. The launcher pushed the images: the version before
 * is the same tree under another version. Each test continues the one before.
 */
@Order(201)
@Tag("install")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class OlmLiveE2E {
  private static final Duration PATIENCE = InstallBed.PATIENCE;
  private static final String WAIT = InstallBed.WAIT;
  private static final String NAME = "managed";
  private static final String NAMESPACE = "olm-live";
  private static final String IMAGES = "quay.io/operator-framework/";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What the docs apply to subscribe. */
  private static final Pattern SUBSCRIPTION =
      Pattern.compile("(?s)kubectl apply -f - <<EOF\n(apiVersion: v1\nkind: Namespace.*?)EOF\n");

  private static final Pattern REMOVAL =
      Pattern.compile("\\| OLM \\| `kubectl -n exaplane-system (delete [^`]*)` \\|");

  private static final String NAMES_AT = "fd00:10:96::a";

  private static final String DNS =
      """
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: names, namespace: olm}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: olm-names}
      rules:
      - {apiGroups: ["", discovery.k8s.io], resources: [services, namespaces, pods, endpointslices], verbs: [list, watch]}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: olm-names}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: olm-names}
      subjects: [{kind: ServiceAccount, name: names, namespace: olm}]
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: names, namespace: olm}
      data: {Corefile: ".:1053 {\\n errors\\n ready\\n kubernetes cluster.local\\n}\\n"}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: names, namespace: olm}
      spec:
        clusterIP: "%s"
        ipFamilies: [IPv6]
        selector: {app: names}
        ports: [{name: dns, port: 53, targetPort: 1053, protocol: UDP}, {name: dns-tcp, port: 53, targetPort: 1053}]
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: names, namespace: olm}
      spec:
        selector: {matchLabels: {app: names}}
        template:
          metadata: {labels: {app: names}}
          spec:
            serviceAccountName: names
            containers:
            - name: names
              image: %s
              args: [-conf, /etc/coredns/Corefile]
              readinessProbe: {httpGet: {path: /ready, port: 8181}}
              volumeMounts: [{name: file, mountPath: /etc/coredns}]
            volumes: [{name: file, configMap: {name: names}}]
      """;

  /** Names of ClusterServiceVersions: the version before, and this one. */
  private static final List<String> VERSIONS =
      List.of(System.getProperty("exa.olm.versions", "").split(","));

  private static Map<String, String> pods;

  @BeforeAll
  static void startOlm() throws IOException {
    assertThat(VERSIONS).as("-Dexa.olm.versions=BEFORE,THIS").hasSize(2);
    InstallBed.nothingOfExaplane();
    String tag = ":v" + Machine.environment("EXA_OLM_VERSION");
    String olm = IMAGES + "olm" + tag;
    InstallBed.passes(
        List.of(
            Machine.environment("EXA_HELM"),
            "--kubeconfig=" + Bed.KUBECONFIG,
            "--namespace=default",
            "upgrade",
            "--install",
            "olm",
            Machine.environment("EXA_OLM_CHART"),
            "--wait",
            "--timeout=4m",
            "--set=namespace=olm,catalog_namespace=olm,package.replicaCount=1",
            "--set=olm.image.ref=%s,catalog.image.ref=%s,package.image.ref=%s"
                .formatted(olm, olm, olm),
            "--set=catalog.opmImageArgs=--opmImage=" + IMAGES + "opm" + tag));
    withoutPackageServer();
    withNames();
  }

  /**
   * The chart's catalog is on the internet, and its server of packages is an API of a Service: the
   * API server of this cluster runs outside of the network of pods. A Subscription needs neither.
   */
  private static void withoutPackageServer() {
    Bed.kubectl("-n", "olm", "delete", "catalogsource,csv", "--all", WAIT);
    Bed.awaitHolds(
        PATIENCE,
        () ->
            assertThat(Bed.kubectl("get", "apiservice", "-o", "name"))
                .doesNotContain("packages.operators.coreos.com"));
  }

  @Test
  @Order(1)
  void aControlPlaneIsAvailableAfterTheSubscription() throws IOException {
    subscribe("one");
    awaitInstalled(VERSIONS.getFirst());
    InstallBed.create(NAME, NAMESPACE);
    pods = InstallBed.pods(NAMESPACE);
    assertThat(pods).hasSizeGreaterThan(3);
  }

  @Test
  @Order(2)
  void anUpgradeReplacesTheOperatorAndNoPodOfTheControlPlane() throws IOException {
    assertThat(pods).as("the test before").isNotNull();
    subscribe("both");
    awaitInstalled(VERSIONS.getLast());
    Bed.awaitCondition(
        NAME, NAMESPACE, ConditionType.OperatorUpdatePending, Condition.TRUE, PATIENCE);
    InstallBed.serves(NAME, NAMESPACE, pods);
  }

  @Test
  @Order(3)
  void anUninstallKeepsTheTypesAndTheApiAnswers() throws IOException {
    assertThat(pods).as("the first test").isNotNull();
    unsubscribe();
    assertThat(InstallBed.types()).hasSize(5);
    InstallBed.serves(NAME, NAMESPACE, pods);
  }

  @Test
  @Order(4)
  void aNewInstallTakesTheControlPlaneOverAndNothingIsLeft() throws IOException {
    assertThat(pods).as("the first test").isNotNull();
    subscribe("both");
    awaitInstalled(VERSIONS.getLast());
    InstallBed.serves(NAME, NAMESPACE, pods);
    Bed.delete(NAMESPACE, List.of(NAME), WAIT);
    Bed.kubectl("delete", "namespace", NAMESPACE, WAIT);
    unsubscribe();
    Bed.kubectl("delete", "namespace", Bed.OPERATOR_NAMESPACE, WAIT);
    InstallBed.afterTheOperator();
    Bed.awaitHolds(PATIENCE, () -> assertThat(InstallBed.leftOfExaplane(NAMESPACE)).isEmpty());
  }

  /** OLM's own types stay with Helm, and go with the cluster. */
  @AfterAll
  static void stopOlm() {
    InstallBed.passes(
        List.of(
            Machine.environment("EXA_HELM"),
            "--kubeconfig=" + Bed.KUBECONFIG,
            "--namespace=default",
            "uninstall",
            "olm",
            "--wait",
            "--timeout=4m"));
    Bed.kubectl("delete", "clusterrole,clusterrolebinding", "olm-names");
  }

  /** OLM asks a catalog by the name of its Service, and nobody resolves names in this cluster. */
  private static void withNames() throws IOException {
    Bed.apply(
        DNS.formatted(
            NAMES_AT, "registry.k8s.io/coredns/coredns:v" + Machine.environment("EXA_COREDNS")));
    for (String each : List.of("catalog-operator", "olm-operator")) {
      Bed.kubectl(
          "-n",
          "olm",
          "patch",
          "deployment",
          each,
          "--patch",
          "{\"spec\":{\"template\":{\"spec\":{\"dnsPolicy\":\"None\",\"dnsConfig\":{\"nameservers\":[\"%s\"],\"searches\":[\"cluster.local\"],\"options\":[{\"name\":\"ndots\",\"value\":\"5\"}]}}}}}"
              .formatted(NAMES_AT));
    }
    for (String each : List.of("names", "catalog-operator", "olm-operator")) {
      Bed.kubectl("-n", "olm", "rollout", "status", "deployment/" + each, WAIT);
    }
  }

  /** As docs/install.md says, with the catalog of that name. */
  private static void subscribe(String catalog) throws IOException {
    Matcher text = SUBSCRIPTION.matcher(Files.readString(Bed.HOME.resolve("docs/install.md")));
    assertThat(text.find()).as("a Subscription in docs/install.md").isTrue();
    String wanted = "\"$registry/catalog:0.1.0\"";
    assertThat(text.group(1)).contains(wanted);
    Bed.apply(text.group(1).replace(wanted, "quay.io/exaplane/catalog:" + catalog));
  }

  /** As docs/uninstall.md says. */
  private static void unsubscribe() throws IOException {
    Matcher text = REMOVAL.matcher(Files.readString(Bed.HOME.resolve("docs/uninstall.md")));
    assertThat(text.find()).as("OLM in the table of docs/uninstall.md").isTrue();
    List<String> words = new ArrayList<>(List.of("-n", Bed.OPERATOR_NAMESPACE));
    words.addAll(List.of(text.group(1).split(" ")));
    Bed.kubectl(words.toArray(String[]::new));
    Bed.awaitHolds(
        PATIENCE,
        () ->
            assertThat(
                    Bed.kubectl(
                        "-n", Bed.OPERATOR_NAMESPACE, "get", "deploy,csv,pod", "-o", "name"))
                .isBlank());
  }

  /** OLM says that this version, and no other, is installed, and its operator leads. */
  private static void awaitInstalled(String version) {
    Bed.awaitHolds(
        PATIENCE,
        () ->
            assertThat(phases(Bed.OPERATOR_NAMESPACE))
                .as("%s", progress())
                .containsExactly(Map.entry(version, "Succeeded")));
    InstallBed.operatorLeads();
  }

  /** The phase of each ClusterServiceVersion. */
  private static Map<String, String> phases(String namespace) {
    Map<String, String> phases = new TreeMap<>();
    for (JsonNode each : list(namespace, "csv")) {
      phases.put(each.at("/metadata/name").asText(), each.at("/status/phase").asText());
    }
    return phases;
  }

  /** What OLM says of each object in the way, and which pods run. */
  private static String progress() {
    StringBuilder words = new StringBuilder();
    for (JsonNode each :
        list(Bed.OPERATOR_NAMESPACE, "catalogsource,subscription,installplan,csv,pod")) {
      JsonNode status = each.path("status");
      words.append(
          "%s %s: %s %s %s%n"
              .formatted(
                  each.path("kind").asText(),
                  each.at("/metadata/name").asText(),
                  status.path("phase").asText(),
                  status.path("message").asText(),
                  status.path("connectionState").path("lastObservedState").asText()));
    }
    return words.toString();
  }

  private static JsonNode list(String namespace, String kinds) {
    try {
      return JSON.readTree(Bed.kubectl("-n", namespace, "get", kinds, "-o", "json")).path("items");
    } catch (IOException e) {
      throw new AssertionError("kubectl printed no JSON", e);
    }
  }
}
