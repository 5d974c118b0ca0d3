// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.pod.ContainerLimits;
import io.exaplane.operator.pod.PodContainers;
import io.exaplane.operator.pod.PodFrame;
import io.exaplane.operator.pod.PodProbes;
import io.exaplane.operator.pod.PodVolumes;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.wait.WaitForDependencies;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes the Deployment of a component. Pure. */
final class ComponentDeployment {
  private static final String CONFIGURATION_FOLDER = "/etc/kubernetes/configuration";
  static final String CONFIGURATION_FILE =
      CONFIGURATION_FOLDER + "/" + PodVolumes.CONFIGURATION_FILE;
  static final String WAIT = "wait-for-dependencies";
  private static final String PKI_VOLUME = "pki";
  private static final String PKI_FOLDER = "/etc/kubernetes/pki";
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
    component.configuration().ifPresent(text -> annotations.put(PodVolumes.CONFIGURATION, text));
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
    return PodFrame.of(inputs.images().pullSecrets(), component.terminationGraceSeconds())
        .addToTopologySpreadConstraints(PodFrame.spread(names.selector(component.name())))
        .addToInitContainers(
            waitContainer(
                component, inputs.images().operator(), pace, ContainerLimits.complete(wait)))
        .addToContainers(container(inputs, component, ContainerLimits.complete(asked)))
        .withVolumes(volumes(inputs, component))
        .build();
  }

  private static List<Volume> volumes(Inputs inputs, Component component) {
    List<Volume> volumes = new ArrayList<>();
    volumes.add(PodVolumes.secret(PKI_VOLUME, inputs.names().componentSecret(component.name())));
    if (component.configuration().isPresent()) {
      volumes.add(PodVolumes.configuration());
    }
    return volumes;
  }

  private static List<VolumeMount> mounts(Component component) {
    List<VolumeMount> mounts = new ArrayList<>();
    mounts.add(PodVolumes.readOnly(PKI_VOLUME, PKI_FOLDER));
    if (component.configuration().isPresent()) {
      mounts.add(PodVolumes.configurationMount(CONFIGURATION_FOLDER));
    }
    return mounts;
  }

  private static Container waitContainer(
      Component component, String image, ReleasePace pace, ResourceRequirements resources) {
    return PodContainers.first(WAIT, image, WaitForDependencies.class, component.waitFor())
        .withTerminationMessagePolicy(PodContainers.LAST_WORDS)
        .withEnv(pace.environment())
        .withResources(resources)
        .withVolumeMounts(PodVolumes.readOnly(PKI_VOLUME, PKI_FOLDER))
        .build();
  }

  private static Container container(
      Inputs inputs, Component component, ResourceRequirements resources) {
    List<String> command = new ArrayList<>();
    command.add(component.binary());
    command.addAll(component.flags());
    return PodContainers.of(image(inputs, component))
        .withName(component.binary())
        .withTerminationMessagePolicy(PodContainers.LAST_WORDS)
        .withCommand(command)
        .withEnv(component.env())
        .withResources(resources)
        .addNewPort()
        .withName("https")
        .withContainerPort(component.port())
        .withProtocol("TCP")
        .endPort()
        .withStartupProbe(PodProbes.paced(PodProbes.https(component.livenessPath()), 2, 150, 5))
        .withLivenessProbe(PodProbes.paced(PodProbes.https(component.livenessPath()), 10, 6, 15))
        .withReadinessProbe(PodProbes.paced(PodProbes.https(component.readinessPath()), 2, 3, 5))
        .withVolumeMounts(mounts(component))
        .build();
  }
}
