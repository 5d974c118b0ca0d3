// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install.olm;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster with OLM, somebody who runs its pods, and what a user does: the commands are those of
 * the docs. Used by one thread.
 */
final class OlmBed implements AutoCloseable {
  /** For each thing that must come; a busy machine starts three Java processes in it. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final Path INSTALL = Path.of("../../docs/install.md");
  private static final Path UNINSTALL = Path.of("../../docs/uninstall.md");
  private static final Path SAMPLE = Path.of("../../config/samples/controlplane.yaml");

  /** What the docs apply to subscribe. */
  private static final Pattern SUBSCRIPTION =
      Pattern.compile("(?s)kubectl apply -f - <<EOF\n(apiVersion: v1\nkind: Namespace.*?)EOF\n");

  private static final Pattern REMOVAL =
      Pattern.compile("\\| OLM \\| `kubectl -n exaplane-system (delete [^`]*)` \\|");

  /** Of a control plane, what would restart if an upgrade changed it. */
  private static final List<String> KINDS =
      List.of("deployments", "statefulsets", "services", "storeshards", "persistentvolumeclaims");

  /** What the sample's stores need; whatever waits for the stores comes later. */
  private static final List<String> STORES =
      List.of(
          "statefulsets/demo-default",
          "statefulsets/demo-events",
          "persistentvolumeclaims/data-demo-default-0");

  /** Where the sample goes: nothing else is there. */
  private static final String USERS = "default";

  private final OlmCluster cluster;
  private final PodHands hands;

  private OlmBed(OlmCluster cluster, PodHands hands) {
    this.cluster = cluster;
    this.hands = hands;
  }

  /**
   * Starts everything but a catalog.
   *
   * @param releases whose bundles may be unpacked
   * @param folder an empty one
   */
  static OlmBed start(List<Release> releases, Path folder) throws Exception {
    OlmBed bed = withoutOlm(releases, folder);
    try {
      bed.cluster.startOlm();
      return bed;
    } catch (Exception | AssertionError e) {
      bed.close();
      throw e;
    }
  }

  /** The same for {@link OlmV1}, which unpacks bundles by itself. */
  static OlmBed withoutOlm(Path folder) throws Exception {
    return withoutOlm(List.of(), folder);
  }

  private static OlmBed withoutOlm(List<Release> releases, Path folder) throws Exception {
    Map<String, Path> bundles = new TreeMap<>();
    releases.forEach(release -> bundles.put(release.image(), release.bundle()));
    OlmCluster cluster = OlmCluster.start(folder);
    return new OlmBed(cluster, new PodHands(cluster, bundles, folder));
  }

  OlmCluster cluster() {
    return cluster;
  }

  PodHands hands() {
    return hands;
  }

  /** As docs/install.md says, with a catalog at an address rather than in an image. */
  void subscribe(CatalogServer catalog) throws IOException, InterruptedException {
    Matcher text = SUBSCRIPTION.matcher(Files.readString(INSTALL));
    assertThat(text.find()).as("a Subscription in %s", INSTALL).isTrue();
    String wanted = "image: \"$registry/catalog:0.1.0\"";
    assertThat(text.group(1)).contains(wanted);
    cluster.apply(text.group(1).replace(wanted, "address: \"" + catalog.address() + "\""));
  }

  /** As docs/uninstall.md says. */
  void unsubscribe() throws IOException, InterruptedException {
    Matcher text = REMOVAL.matcher(Files.readString(UNINSTALL));
    assertThat(text.find()).as("OLM in the table of %s", UNINSTALL).isTrue();
    List<String> words = new ArrayList<>(List.of("-n", OlmCluster.NAMESPACE));
    words.addAll(List.of(text.group(1).split(" ")));
    cluster.kubectl(words.toArray(String[]::new));
  }

  /** Waits until OLM says that this version, and no other, is installed and runs. */
  void awaitInstalled(Release release) throws Exception {
    until(
        release.csv() + " Succeeded",
        () -> phases().equals(Map.of(release.csv(), "Succeeded")),
        this::progress);
  }

  /** The phase of each ClusterServiceVersion. */
  Map<String, String> phases() {
    Map<String, String> phases = new TreeMap<>();
    for (GenericKubernetesResource csv : cluster.ofOlm("ClusterServiceVersion")) {
      phases.put(csv.getMetadata().getName(), text(csv, "phase"));
    }
    return phases;
  }

  /** What OLM says of each object in the way, and who could not run. */
  private String progress() {
    StringBuilder words = new StringBuilder();
    for (String kind : List.of("CatalogSource", "Subscription", "InstallPlan")) {
      for (GenericKubernetesResource each : cluster.ofOlm(kind)) {
        Map<?, ?> status = (Map<?, ?>) each.getAdditionalProperties().get("status");
        words.append(
            "%s: %s%n"
                .formatted(
                    kind,
                    status == null
                        ? "no status"
                        : kind.equals("InstallPlan") ? status.get("phase") : status));
      }
    }
    for (GenericKubernetesResource csv : cluster.ofOlm("ClusterServiceVersion")) {
      words.append(
          "%s: %s %s%n"
              .formatted(csv.getMetadata().getName(), text(csv, "phase"), text(csv, "message")));
    }
    return words + "pods: " + hands.failures() + "\n" + hands.lastWords();
  }

  private static String text(GenericKubernetesResource object, String field) {
    String value = object.get("status", field);
    return value == null ? "" : value;
  }

  /** Applies the smallest sample; its stores need a class of volumes, which nobody provisions. */
  void createControlPlane() throws IOException, InterruptedException {
    cluster.apply(
        """
        apiVersion: storage.k8s.io/v1
        kind: StorageClass
        metadata:
          name: nobody-provisions
          annotations: {storageclass.kubernetes.io/is-default-class: "true"}
        provisioner: kubernetes.io/no-provisioner
        volumeBindingMode: WaitForFirstConsumer
        """);
    cluster.apply(Files.readString(SAMPLE));
  }

  /** The control plane, which must be there. */
  GenericKubernetesResource controlPlane() {
    return cluster
        .client()
        .genericKubernetesResources("exaplane.io/v1alpha1", "ControlPlane")
        .inNamespace(USERS)
        .withName("demo")
        .require();
  }

  /** The status of one of its conditions, or "". */
  String condition(String type) {
    List<Map<String, String>> conditions = controlPlane().get("status", "conditions");
    return conditions.stream()
        .filter(condition -> condition.get("type").equals(type))
        .map(condition -> condition.get("status"))
        .findFirst()
        .orElse("");
  }

  /** Deletes it as docs/uninstall.md says: its finalizer goes, as an operator is there. */
  void deleteControlPlane() throws Exception {
    cluster.kubectl("annotate", "controlplane", "demo", "exaplane.io/allow-deletion=demo");
    cluster.kubectl("delete", "controlplane", "demo", "--timeout=800s");
    until(
        "of the control plane, only its data is left",
        () ->
            objects().keySet().stream()
                .noneMatch(
                    name -> name.startsWith("storeshards/") || name.startsWith("statefulsets/")),
        () -> objects() + hands.lastWords());
  }

  /**
   * Waits until the operator made what it makes while no pod of a control plane runs, and told why
   * the control plane is not Available.
   */
  void awaitControlPlane() throws Exception {
    until(
        "the objects of the control plane",
        () -> objects().keySet().containsAll(STORES),
        () -> objects() + hands.lastWords());
    until(
        "a kubeconfig and a condition",
        () ->
            cluster.client().secrets().inNamespace(USERS).withName("demo-admin-kubeconfig").get()
                    != null
                && controlPlane().get("status", "conditions") != null,
        hands::lastWords);
  }

  /** UID and generation of each object of the control plane, by Kind and name. */
  Map<String, String> objects() {
    Map<String, String> all = new TreeMap<>();
    for (String kind : KINDS) {
      for (HasMetadata each : list(kind)) {
        all.put(
            kind + "/" + each.getMetadata().getName(),
            each.getMetadata().getUid() + " " + each.getMetadata().getGeneration());
      }
    }
    return all;
  }

  private List<? extends HasMetadata> list(String kind) {
    var client = cluster.client();
    return switch (kind) {
      case "deployments" -> client.apps().deployments().inNamespace(USERS).list().getItems();
      case "statefulsets" -> client.apps().statefulSets().inNamespace(USERS).list().getItems();
      case "services" -> client.services().inNamespace(USERS).list().getItems();
      case "persistentvolumeclaims" ->
          client.persistentVolumeClaims().inNamespace(USERS).list().getItems();
      default ->
          client
              .genericKubernetesResources("exaplane.io/v1alpha1", "StoreShard")
              .inNamespace(USERS)
              .list()
              .getItems();
    };
  }

  /** The pod that the operator's Lease names. */
  String leader() {
    var lease =
        cluster
            .client()
            .leases()
            .inNamespace(OlmCluster.NAMESPACE)
            .withName("exaplane-operator")
            .get();
    String holder = lease == null ? null : lease.getSpec().getHolderIdentity();
    return holder == null ? "" : holder;
  }

  /** Waits until one of the operator's pods has the Lease. */
  void awaitLeader() throws Exception {
    until("an operator leads", () -> pods().contains(leader()), () -> leader() + " of " + pods());
  }

  /**
   * Waits until an upgraded operator leads, and told that it would make other pods of the control
   * plane than those that run.
   *
   * @param former names of the pods of the version before
   */
  void awaitUpgraded(List<String> former) throws Exception {
    until(
        "the pods of the version before are gone",
        () -> pods().stream().noneMatch(former::contains),
        this::pods);
    awaitLeader();
    until(
        "the new operator told that it would make other pods",
        () -> condition("OperatorUpdatePending").equals("True"),
        this::controlPlane);
  }

  /** Names of the operator's pods. */
  List<String> pods() {
    return cluster
        .client()
        .pods()
        .inNamespace(OlmCluster.NAMESPACE)
        .withLabel("app.kubernetes.io/name", "exaplane-operator")
        .list()
        .getItems()
        .stream()
        .map(pod -> pod.getMetadata().getName())
        .toList();
  }

  void until(String what, Callable<Boolean> holds, Callable<?> instead) throws Exception {
    Await.until(
        PATIENCE,
        what,
        () -> {
          assertThat(hands.failures()).as(what).isEmpty();
          return holds.call();
        },
        instead);
  }

  @Override
  public void close() {
    hands.close();
    cluster.close();
  }
}
