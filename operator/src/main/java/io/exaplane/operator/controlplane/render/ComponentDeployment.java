// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.pod.ContainerLimits;
import io.exaplane.operator.pod.PodSecurity;
import io.exaplane.operator.rollout.Rollout;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes the Deployment of a component. Pure. */
final class ComponentDeployment {
  /** The content of a component's configuration file: another one replaces its pods. */
  static final String CONFIGURATION = "exaplane.io/configuration";

  private static final String CONFIGURATION_FOLDER = "/etc/kubernetes/configuration";
  static final String CONFIGURATION_FILE = CONFIGURATION_FOLDER + "/config.yaml";
  static final String WAIT = "wait-for-dependencies";
  private static final String CONFIGURATION_VOLUME = "configuration";
  private static final String LAST_WORDS = "FallbackToLogsOnError";
  private static final int PKI_MODE = 0440;
  private static final ResourceRequirements WAIT_REQUESTS =
      ContainerLimits.requests(new Quantity("50m"), new Quantity("64Mi"));

  private ComponentDeployment() {}

  /**
   * The Deployment of a component. The wait step keeps the tag that it has: a new operator alone
   * must not restart a control plane.
   *
   * @param existing the Deployment as it is, if it is
   */
  static Deployment of(Inputs inputs, Component component, Optional<Deployment> existing) {
    ControlPlaneNames names = inputs.names();
    List<String> release =
        ReleasePace.arguments(
            inputs.controlPlane().spec().restart(),
            component.replicas(),
            existing,
            existing.filter(d -> isOfVersion(inputs, component, d)).isPresent());
    Optional<String> existingWait =
        existing
            .filter(d -> ReleasePace.isKnown(release, d))
            .map(d -> d.getSpec().getTemplate().getSpec().getInitContainers())
            .filter(containers -> !containers.isEmpty())
            .map(containers -> containers.getFirst().getImage());
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName(names.component(component.name()))
        .withNamespace(inputs.controlPlane().namespace())
        .withLabels(names.labels(component.name()))
        .withAnnotations(component.annotations())
        .endMetadata()
        .withNewSpec()
        .withReplicas(component.replicas())
        .withProgressDeadlineSeconds(600)
        .withRevisionHistoryLimit(2)
        .withNewStrategy()
        .withType("RollingUpdate")
        .withNewRollingUpdate()
        .withMaxSurge(new IntOrString(1))
        .withMaxUnavailable(new IntOrString(0))
        .endRollingUpdate()
        .endStrategy()
        .withNewSelector()
        .withMatchLabels(names.selector(component.name()))
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .withLabels(names.labels(component.name()))
        .withAnnotations(annotations(component))
        .endMetadata()
        .withSpec(
            pod(
                inputs,
                component,
                inputs.images().operator(existingWait),
                release,
                lastWords(inputs, component, existing),
                isBare(inputs, component, existing)))
        .endTemplate()
        .endSpec()
        .build();
  }

  private static Map<String, String> annotations(Component component) {
    Map<String, String> annotations = new TreeMap<>();
    annotations.put(Rollout.DATA_EPOCH, component.dataEpoch());
    if (!component.certificateEpoch().isEmpty()) {
      annotations.put(Rollout.CERTIFICATE_EPOCH, component.certificateEpoch());
    }
    component.configuration().ifPresent(text -> annotations.put(CONFIGURATION, text));
    return annotations;
  }

  /**
   * What a process said at its end is in the pod's status. Pods that are there keep what they have
   * until their version is another one: a new operator alone must not replace them.
   */
  private static String lastWords(
      Inputs inputs, Component component, Optional<Deployment> existing) {
    return existing
        .map(d -> d.getSpec().getTemplate().getSpec().getContainers().getFirst())
        .filter(container -> image(inputs, component).equals(container.getImage()))
        .map(Container::getTerminationMessagePolicy)
        .orElse(LAST_WORDS);
  }

  /**
   * Whether pods that are there without limits stay so: a new operator alone must not replace them.
   * Those that can't be made for the want of limits have nothing to lose.
   */
  private static boolean isBare(Inputs inputs, Component component, Optional<Deployment> existing) {
    return existing
        .filter(deployment -> Rollout.refusal(deployment).isEmpty())
        .map(deployment -> deployment.getSpec().getTemplate().getSpec())
        .filter(pod -> image(inputs, component).equals(pod.getContainers().getFirst().getImage()))
        .filter(
            pod ->
                ContainerLimits.isBare(
                        pod.getInitContainers().getFirst().getResources(), WAIT_REQUESTS)
                    && ContainerLimits.isSame(
                        pod.getContainers().getFirst().getResources(), asked(component)))
        .isPresent();
  }

  /** What the container asks for, by the user or the model. */
  private static ResourceRequirements asked(Component component) {
    return component.resources() == null ? ContainerLimits.unknown() : component.resources();
  }

  private static String image(Inputs inputs, Component component) {
    return inputs.images().kubernetes(component.binary(), component.version());
  }

  private static boolean isOfVersion(Inputs inputs, Component component, Deployment existing) {
    return image(inputs, component)
        .equals(existing.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage());
  }

  private static PodSpec pod(
      Inputs inputs,
      Component component,
      String waitImage,
      List<String> release,
      String lastWords,
      boolean bare) {
    ControlPlaneNames names = inputs.names();
    ResourceRequirements asked = asked(component);
    ResourceRequirements wait = ContainerLimits.withOthers(WAIT_REQUESTS, asked);
    return new PodSpecBuilder()
        .withAutomountServiceAccountToken(false)
        .withEnableServiceLinks(false)
        .withTerminationGracePeriodSeconds((long) component.terminationGraceSeconds())
        .withImagePullSecrets(inputs.images().pullSecrets())
        .withSecurityContext(PodSecurity.pod())
        .addNewTopologySpreadConstraint()
        .withMaxSkew(1)
        .withTopologyKey("kubernetes.io/hostname")
        .withWhenUnsatisfiable("ScheduleAnyway")
        .withNewLabelSelector()
        .withMatchLabels(names.selector(component.name()))
        .endLabelSelector()
        .endTopologySpreadConstraint()
        .addToInitContainers(
            waitContainer(
                component,
                waitImage,
                release,
                lastWords,
                bare ? WAIT_REQUESTS : ContainerLimits.complete(wait)))
        .addToContainers(
            container(inputs, component, lastWords, bare ? asked : ContainerLimits.complete(asked)))
        .withVolumes(volumes(inputs, component))
        .build();
  }

  private static List<Volume> volumes(Inputs inputs, Component component) {
    List<Volume> volumes = new ArrayList<>();
    volumes.add(
        new VolumeBuilder()
            .withName("pki")
            .withNewSecret()
            .withSecretName(inputs.names().componentSecret(component.name()))
            .withDefaultMode(PKI_MODE)
            .endSecret()
            .build());
    if (component.configuration().isPresent()) {
      volumes.add(
          new VolumeBuilder()
              .withName(CONFIGURATION_VOLUME)
              .withNewDownwardAPI()
              .addNewItem()
              .withPath("config.yaml")
              .withNewFieldRef()
              .withApiVersion("v1")
              .withFieldPath("metadata.annotations['" + CONFIGURATION + "']")
              .endFieldRef()
              .endItem()
              .endDownwardAPI()
              .build());
    }
    return volumes;
  }

  private static List<VolumeMount> mounts(Component component) {
    List<VolumeMount> mounts = new ArrayList<>();
    mounts.add(mount("pki", "/etc/kubernetes/pki"));
    if (component.configuration().isPresent()) {
      mounts.add(mount(CONFIGURATION_VOLUME, CONFIGURATION_FOLDER));
    }
    return mounts;
  }

  private static VolumeMount mount(String volume, String path) {
    return new VolumeMountBuilder().withName(volume).withMountPath(path).withReadOnly(true).build();
  }

  private static Container waitContainer(
      Component component,
      String image,
      List<String> release,
      String lastWords,
      ResourceRequirements resources) {
    List<String> command = new ArrayList<>();
    command.add("/opt/java/bin/java");
    command.addAll(List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", "/app/app/*", "io.exaplane.operator.wait.WaitForDependencies"));
    command.addAll(release);
    command.addAll(component.waitFor());
    return new ContainerBuilder()
        .withName(WAIT)
        .withImage(image)
        .withImagePullPolicy("IfNotPresent")
        .withTerminationMessagePolicy(lastWords)
        .withCommand(command)
        .withSecurityContext(PodSecurity.container())
        .withResources(resources)
        .addNewVolumeMount()
        .withName("pki")
        .withMountPath("/etc/kubernetes/pki")
        .withReadOnly(true)
        .endVolumeMount()
        .build();
  }

  private static Container container(
      Inputs inputs, Component component, String lastWords, ResourceRequirements resources) {
    List<String> command = new ArrayList<>();
    command.add(component.binary());
    command.addAll(component.flags());
    return new ContainerBuilder()
        .withName(component.binary())
        .withImage(image(inputs, component))
        .withImagePullPolicy("IfNotPresent")
        .withTerminationMessagePolicy(lastWords)
        .withCommand(command)
        .withEnv(component.env())
        .withResources(resources)
        .withSecurityContext(PodSecurity.container())
        .addNewPort()
        .withName("https")
        .withContainerPort(component.port())
        .withProtocol("TCP")
        .endPort()
        .withStartupProbe(probe(component, component.livenessPath(), 2, 150, 5))
        .withLivenessProbe(probe(component, component.livenessPath(), 10, 6, 15))
        .withReadinessProbe(probe(component, component.readinessPath(), 2, 3, 5))
        .withVolumeMounts(mounts(component))
        .build();
  }

  private static Probe probe(
      Component component, String path, int periodSeconds, int failures, int timeoutSeconds) {
    return new ProbeBuilder()
        .withNewHttpGet()
        .withScheme("HTTPS")
        .withPath(path)
        .withPort(new IntOrString("https"))
        .endHttpGet()
        .withPeriodSeconds(periodSeconds)
        .withFailureThreshold(failures)
        .withTimeoutSeconds(timeoutSeconds)
        .build();
  }
}
