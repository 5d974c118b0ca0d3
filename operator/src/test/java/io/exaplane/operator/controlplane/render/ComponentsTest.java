// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ManagedArguments;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.rotation.RotationEpochs;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ComponentsTest {
  private static final String SMALL = "{version: 1.36.3, maxNodes: 100}";
  private final ControlPlane controlPlane = Fixtures.controlPlane(SMALL);
  private final Inputs inputs = Fixtures.inputs(controlPlane, "d");

  private static List<String> command(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec().getContainers().getFirst().getCommand();
  }

  private static String image(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage();
  }

  @Test
  void theSameInputsGiveTheSameObject() {
    assertThat(Components.apiServer(inputs, Optional.empty()))
        .isEqualTo(Components.apiServer(inputs, Optional.empty()));
  }

  /** The one field of the network that may change: nothing may roll for it. */
  @Test
  void nothingIsMadeOfTheNodesNetworks() {
    Inputs told =
        Fixtures.inputs(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 100, network: {nodeCIDRs: ['2001:db8:2::/48']}}"),
            "d");
    assertThat(Components.apiServer(told, Optional.empty()))
        .isEqualTo(Components.apiServer(inputs, Optional.empty()));
    assertThat(Components.controllerManager(told, Optional.empty(), Optional.empty()))
        .isEqualTo(Components.controllerManager(inputs, Optional.empty(), Optional.empty()));
    assertThat(Components.scheduler(told, Optional.empty(), Optional.empty()))
        .isEqualTo(Components.scheduler(inputs, Optional.empty(), Optional.empty()));
  }

  @Test
  void eventsGoToTheirStoreAndItsLossDoesNotCount() {
    Deployment apiServer = Components.apiServer(inputs, Optional.empty());
    assertThat(command(apiServer))
        .contains(
            "--etcd-servers=https://[fd00::d]:2379",
            "--etcd-servers-overrides=/events#https://[fd00::e]:2379,events.k8s.io/events#https://[fd00::e]:2379");
    var container = apiServer.getSpec().getTemplate().getSpec().getContainers().getFirst();
    assertThat(container.getLivenessProbe().getHttpGet().getPath())
        .isEqualTo("/livez?exclude=etcd");
    assertThat(container.getReadinessProbe().getHttpGet().getPath())
        .isEqualTo("/readyz?exclude=etcd-override-0&exclude=etcd-override-readiness-0");
  }

  @Test
  void theModelsFlagsFollowTheSize() {
    assertThat(command(Components.apiServer(inputs, Optional.empty())))
        .contains("--goaway-chance=0.001", "--shutdown-delay-duration=10s")
        .noneMatch(flag -> flag.contains("requests-inflight"));
    Inputs large = large("");
    assertThat(command(Components.apiServer(large, Optional.empty())))
        .contains(
            "--max-requests-inflight=3000",
            "--max-mutating-requests-inflight=1000",
            "--feature-gates=DetectCacheInconsistency=false");
    assertThat(command(Components.controllerManager(large, Optional.empty(), Optional.empty())))
        .contains("--kube-api-qps=1250", "--allocate-node-cidrs=false");
  }

  private static Inputs large(String more) {
    return Fixtures.inputs(
        Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: 100000, storage: {stores: [{name: default}, {name: events, criticality: BestEffort}]}"
                + more
                + "}"),
        "d");
  }

  @Test
  void theModelsMemoryGoesWithTheCollectorsSettings() {
    var container =
        Components.apiServer(inputs, Optional.empty())
            .getSpec()
            .getTemplate()
            .getSpec()
            .getContainers()
            .getFirst();
    assertThat(container.getResources().getLimits()).containsEntry("memory", new Quantity("3Gi"));
    assertThat(container.getResources().getRequests())
        .containsEntry("memory", new Quantity("3Gi"))
        .containsEntry("cpu", new Quantity("100m"));
    assertThat(container.getEnv())
        .extracting(EnvVar::getName)
        .containsExactly("POD_IP", "GOGC", "GOMEMLIMIT");
    assertThat(container.getEnv().getLast().getValue()).isEqualTo("2611MiB");
  }

  /** Their last words are read there. */
  @Test
  void whatAProcessSaysAtItsEndIsInThePodsStatus() {
    Deployment made = Components.apiServer(inputs, Optional.empty());
    assertThat(lastWords(made)).containsOnly("FallbackToLogsOnError");
  }

  private static List<String> lastWords(Deployment deployment) {
    return containers(deployment).stream().map(Container::getTerminationMessagePolicy).toList();
  }

  private static List<Container> containers(Deployment deployment) {
    var pod = deployment.getSpec().getTemplate().getSpec();
    return List.of(pod.getInitContainers().getFirst(), pod.getContainers().getFirst());
  }

  @Test
  void theSchedulersFileIsAnAnnotationThatItsPodsMount() {
    Deployment small = Components.scheduler(inputs, Optional.empty(), Optional.empty());
    assertThat(small.getSpec().getTemplate().getSpec().getVolumes()).hasSize(1);
    Deployment scheduler = Components.scheduler(large(""), Optional.empty(), Optional.empty());
    assertThat(command(scheduler)).contains("--config=/etc/kubernetes/configuration/config.yaml");
    assertThat(scheduler.getSpec().getTemplate().getMetadata().getAnnotations())
        .containsEntry(
            "exaplane.io/configuration",
            "{\"apiVersion\":\"kubescheduler.config.k8s.io/v1\",\"kind\":\"KubeSchedulerConfiguration\",\"clientConnection\":{\"qps\":630,\"burst\":630,\"kubeconfig\":\"/etc/kubernetes/pki/kubeconfig\"}}");
    assertThat(scheduler.getSpec().getTemplate().getSpec().getVolumes())
        .last()
        .extracting(volume -> volume.getDownwardAPI().getItems().getFirst().getPath())
        .isEqualTo("config.yaml");
  }

  @Test
  void aLoneApiserverSendsNobodyAway() {
    Inputs lone =
        Fixtures.inputs(
            Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1, apiServer: {replicas: 1}}"), "d");
    assertThat(command(Components.apiServer(lone, Optional.empty())))
        .contains("--shutdown-delay-duration=10s")
        .noneMatch(flag -> flag.startsWith("--goaway-chance"));
  }

  @Test
  void onlyKubeApiserverIsReplacedForTheKeyOfEncryption() {
    Inputs plain = Fixtures.inputs(Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}"), "d");
    Inputs encrypts =
        new Inputs(
            plain.sized(),
            plain.images(),
            plain.serviceAddress(),
            plain.servicePort(),
            plain.stores(),
            new Inputs.CertificateEpochs(
                "", "", "", RotationEpochs.NONE.encrypting(2, Optional.of("encryption-2.yaml"))));
    Deployment apiServer = Components.apiServer(encrypts, Optional.empty());
    assertThat(command(apiServer))
        .contains("--encryption-provider-config=/etc/kubernetes/pki/encryption-2.yaml")
        .containsAll(command(Components.apiServer(plain, Optional.empty())));
    assertThat(ApiServerFlags.encryptionFile(apiServer.getSpec().getTemplate()))
        .isEqualTo("encryption-2.yaml");
    assertThat(Rollout.rotationEpoch(apiServer)).isEqualTo("enc-2");
    assertThat(Components.controllerManager(encrypts, Optional.of(apiServer), Optional.empty()))
        .isEqualTo(Components.controllerManager(plain, Optional.of(apiServer), Optional.empty()));
  }

  @Test
  void whatTheOperatorSetsIsWhatTheSchemaRefuses() {
    Inputs withPods =
        Fixtures.inputs(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 10, network: {podCIDRs: ['fd00:1::/48']}}"),
            "d");
    Set<String> apiServer = names(Components.apiServer(withPods, Optional.empty()));
    apiServer.remove("enable-admission-plugins"); // what the user gives is added to ours
    apiServer.add("authorization-config"); // takes the place of authorization-mode
    // The model's, for which spec.apiServer.tuning has fields, at any size.
    apiServer.addAll(Set.of("max-requests-inflight", "max-mutating-requests-inflight"));
    // With spec.encryption; each step has a file of its own, so nothing is to be read again.
    apiServer.addAll(
        Set.of("encryption-provider-config", "encryption-provider-config-automatic-reload"));
    assertThat(apiServer).isEqualTo(names(ManagedArguments.API_SERVER));
    Set<String> scheduler =
        names(Components.scheduler(withPods, Optional.empty(), Optional.empty()));
    scheduler.add("config"); // of larger clusters
    assertThat(scheduler).isEqualTo(names(ManagedArguments.SCHEDULER));
    Set<String> controllerManager =
        names(Components.controllerManager(withPods, Optional.empty(), Optional.empty()));
    controllerManager.remove("terminated-pod-gc-threshold"); // the model's; extraArgs may have it
    // Managed too, for the sake of who would set them beside --cluster-cidr.
    controllerManager.addAll(
        Set.of("node-cidr-mask-size", "node-cidr-mask-size-ipv4", "node-cidr-mask-size-ipv6"));
    assertThat(controllerManager).isEqualTo(names(ManagedArguments.CONTROLLER_MANAGER));
  }

  private static Set<String> names(Deployment deployment) {
    return command(deployment).stream()
        .skip(1)
        .map(flag -> flag.substring(2, flag.indexOf('=')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> names(String celList) {
    return Stream.of(celList.split(","))
        .map(name -> name.replace("'", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theUsersAdmissionPluginsAreAddedToNodeRestriction() {
    Inputs extra =
        Fixtures.inputs(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 1, apiServer: {extraArgs: [{name: enable-admission-plugins, value: 'AlwaysPullImages,NodeRestriction'}]}}"),
            "d");
    assertThat(command(Components.apiServer(extra, Optional.empty())))
        .contains("--enable-admission-plugins=NodeRestriction,AlwaysPullImages")
        .filteredOn(flag -> flag.startsWith("--enable-admission-plugins"))
        .hasSize(1);
  }

  @Test
  void extraArgumentsComeLast() {
    Inputs extra =
        Fixtures.inputs(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 1, apiServer: {extraArgs: [{name: event-ttl, value: 2h}]}}"),
            "d");
    assertThat(command(Components.apiServer(extra, Optional.empty())))
        .last()
        .isEqualTo("--event-ttl=2h");
  }

  @Test
  void anotherRegistryTakesThePlaceOfAllRegistries() {
    Inputs mirrored =
        Fixtures.inputs(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 1, images: {registry: mirror.example/k8s, pullSecret: pull}}"),
            "d");
    Deployment apiServer = Components.apiServer(mirrored, Optional.empty());
    assertThat(image(apiServer)).isEqualTo("mirror.example/k8s/kube-apiserver:v1.36.3");
    assertThat(waitImage(apiServer)).isEqualTo("mirror.example/k8s/exaplane/operator:1");
    assertThat(apiServer.getSpec().getTemplate().getSpec().getImagePullSecrets())
        .extracting(secret -> secret.getName())
        .containsExactly("pull");
    assertThat(image(Components.apiServer(inputs, Optional.empty())))
        .isEqualTo("registry.k8s.io/kube-apiserver:v1.36.3");
  }

  private static String waitImage(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec().getInitContainers().getFirst().getImage();
  }

  @Test
  void followersTakeAVersionOnlyWhenEveryApiserverHasIt() {
    Deployment oldApi = rolledOut(Components.apiServer(inputs, Optional.empty()));
    Deployment oldManager =
        Components.controllerManager(inputs, Optional.of(oldApi), Optional.empty());
    Inputs next = Fixtures.inputs(Fixtures.controlPlane("{version: 1.37.0, maxNodes: 100}"), "d");
    assertThat(image(Components.apiServer(next, Optional.empty()))).endsWith(":v1.37.0");
    assertThat(
            image(Components.controllerManager(next, Optional.of(oldApi), Optional.of(oldManager))))
        .endsWith(":v1.36.3");
    Deployment newApi = rolledOut(Components.apiServer(next, Optional.empty()));
    assertThat(
            image(Components.controllerManager(next, Optional.of(newApi), Optional.of(oldManager))))
        .endsWith(":v1.37.0");
    Deployment half =
        new DeploymentBuilder(newApi).editStatus().withUpdatedReplicas(1).endStatus().build();
    assertThat(image(Components.scheduler(next, Optional.of(half), Optional.of(oldManager))))
        .endsWith(":v1.36.3");
  }

  @Test
  void newDataRestartsApiserversFirst() {
    Deployment api = rolledOut(Components.apiServer(inputs, Optional.empty()));
    Deployment scheduler = Components.scheduler(inputs, Optional.of(api), Optional.empty());
    Inputs lost = Fixtures.inputs(controlPlane, "d2");
    assertThat(Components.apiServer(lost, Optional.empty())).isNotEqualTo(api);
    assertThat(Components.scheduler(lost, Optional.of(api), Optional.of(scheduler)))
        .isEqualTo(scheduler);
    Deployment restarted = rolledOut(Components.apiServer(lost, Optional.empty()));
    assertThat(
            Rollout.dataEpoch(
                Components.scheduler(lost, Optional.of(restarted), Optional.of(scheduler))))
        .isEqualTo("d2");
  }

  private static Deployment rolledOut(Deployment deployment) {
    int replicas = deployment.getSpec().getReplicas();
    return new DeploymentBuilder(deployment)
        .editMetadata()
        .withGeneration(1L)
        .endMetadata()
        .withNewStatus()
        .withObservedGeneration(1L)
        .withReplicas(replicas)
        .withUpdatedReplicas(replicas)
        .withAvailableReplicas(replicas)
        .withReadyReplicas(replicas)
        .endStatus()
        .build();
  }
}
