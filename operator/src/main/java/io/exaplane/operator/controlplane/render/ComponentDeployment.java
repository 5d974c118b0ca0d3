// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import io.exaplane.operator.config.Images;
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
   * The Deployment of a component, as this operator makes a new one.
   *
   * @param existing the Deployment as it is, if it is: scaling alone changes no pace
   */
  static Deployment of(Inputs inputs, Component component, Optional<Deployment> existing) {
    ControlPlaneNames names = inputs.names();
    ReleasePace pace = pace(inputs, component, existing);
    RestartToken restart = RestartToken.of(inputs.orders(), component.name(), existing);
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName(names.component(component.name()))
        .withNamespace(inputs.controlPlane().namespace())
        .withLabels(names.labels(component.name()))
        .withAnnotations(component.annotations())
        .addToAnnotations(ReleasePace.ANNOTATION, pace.toString())
        .addToAnnotations(
            restart.before().isEmpty() ? Map.of() : Map.of(RestartToken.BEFORE, restart.before()))
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
        .withAnnotations(annotations(component, restart))
        .endMetadata()
        .withSpec(pod(inputs, component, pace))
        .endTemplate()
        .endSpec()
        .build();
  }

  private static Map<String, String> annotations(Component component, RestartToken restart) {
    Map<String, String> annotations = new TreeMap<>();
    annotations.put(Rollout.DATA_EPOCH, component.dataEpoch());
    if (!component.certificateEpoch().isEmpty()) {
      annotations.put(Rollout.CERTIFICATE_EPOCH, component.certificateEpoch());
    }
    if (!component.rotationEpoch().isEmpty()) {
      annotations.put(Rollout.ROTATION_EPOCH, component.rotationEpoch());
    }
    if (!restart.token().isEmpty()) {
      annotations.put(Rollout.RESTARTED_AT, restart.token());
    }
    component.configuration().ifPresent(text -> annotations.put(CONFIGURATION, text));
    return annotations;
  }

  /** What the container asks for, by the user or the model. */
  private static ResourceRequirements asked(Component component) {
    return component.resources() == null ? ContainerLimits.unknown() : component.resources();
  }

  private static String image(Inputs inputs, Component component) {
    return inputs.images().kubernetes(component.binary(), component.version());
  }

  private static ReleasePace pace(
      Inputs inputs, Component component, Optional<Deployment> existing) {
    return ReleasePace.of(
        inputs.controlPlane().spec().restart(),
        component.replicas(),
        existing.filter(d -> Rollout.version(d).equals(component.version())));
  }

  private static PodSpec pod(Inputs inputs, Component component, ReleasePace pace) {
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
                component, inputs.images().operator(), pace, ContainerLimits.complete(wait)))
        .addToContainers(container(inputs, component, ContainerLimits.complete(asked)))
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
      Component component, String image, ReleasePace pace, ResourceRequirements resources) {
    List<String> command = new ArrayList<>();
    command.add("/opt/java/bin/java");
    command.addAll(List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", "/app/app/*", "io.exaplane.operator.wait.WaitForDependencies"));
    command.addAll(component.waitFor());
    return new ContainerBuilder()
        .withName(WAIT)
        .withImage(image)
        .withImagePullPolicy(Images.pullPolicy(image))
        .withTerminationMessagePolicy(LAST_WORDS)
        .withCommand(command)
        .withEnv(pace.environment())
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
      Inputs inputs, Component component, ResourceRequirements resources) {
    List<String> command = new ArrayList<>();
    command.add(component.binary());
    command.addAll(component.flags());
    return new ContainerBuilder()
        .withName(component.binary())
        .withImage(image(inputs, component))
        .withImagePullPolicy(Images.pullPolicy(image(inputs, component)))
        .withTerminationMessagePolicy(LAST_WORDS)
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
