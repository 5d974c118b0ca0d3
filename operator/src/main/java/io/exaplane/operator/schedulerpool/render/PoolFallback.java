// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.render;

import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.pod.ContainerLimits;
import io.exaplane.operator.pod.PodContainers;
import io.exaplane.operator.pod.PodFrame;
import io.exaplane.operator.pod.PodProbes;
import io.exaplane.operator.pod.PodVolumes;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The kube-scheduler that stands in for a pool: with its name, its profile and its Lease, so that
 * only one of the two is ever in charge. Pure.
 */
public final class PoolFallback {
  private static final int PORT = 10259;

  /** It has nothing to hand over, and the pool waits for it. */
  private static final int GRACE_SECONDS = 5;

  private static final String BINARY = "kube-scheduler";
  private static final String KUBECONFIG = PoolPods.PKI + "kubeconfig";

  private PoolFallback() {}

  /** None as long as it is not to stand in. */
  static Optional<Deployment> of(PoolInputs inputs) {
    return inputs.fallback() ? Optional.of(deployment(inputs)) : Optional.empty();
  }

  /** The stand-in with the template that is applied; none as long as it is not to stand in. */
  public static Stream<Deployment> of(PoolInputs inputs, PoolTemplates templates) {
    return templates.fallback().stream()
        .map(
            pods ->
                new DeploymentBuilder(deployment(inputs))
                    .editSpec()
                    .withTemplate(pods)
                    .endSpec()
                    .build());
  }

  private static ResourceRequirements asked(PoolInputs inputs) {
    return ContainerLimits.withOthers(
        ContainerLimits.requests(new Quantity("100m"), new Quantity("256Mi")),
        Tier.ROOT.resources(inputs.pool().getSpec()));
  }

  private static String image(PoolInputs inputs) {
    return inputs.images().kubernetes(BINARY, inputs.kubernetesVersion());
  }

  static Deployment deployment(PoolInputs inputs) {
    PoolNames names = inputs.names();
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName(names.fallback())
        .withNamespace(inputs.pool().getMetadata().getNamespace())
        .withLabels(names.fallbackLabels())
        .endMetadata()
        .withNewSpec()
        .withReplicas(1)
        .withRevisionHistoryLimit(2)
        .withNewSelector()
        .withMatchLabels(names.fallbackSelector())
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .withLabels(names.fallbackLabels())
        .addToAnnotations(PoolPods.CREDENTIALS_EPOCH, inputs.credentialsEpoch())
        .addToAnnotations(
            PodVolumes.CONFIGURATION,
            PoolConfiguration.ofFallback(inputs.pool().getSpec(), KUBECONFIG))
        .endMetadata()
        .withSpec(pod(inputs))
        .endTemplate()
        .endSpec()
        .build();
  }

  private static PodSpec pod(PoolInputs inputs) {
    return PodFrame.of(inputs.images().pullSecrets(), GRACE_SECONDS)
        .addToContainers(container(inputs))
        .withVolumes(
            PodVolumes.secret("pki", inputs.credentialsSecret()), PodVolumes.configuration())
        .build();
  }

  private static Container container(PoolInputs inputs) {
    return PodContainers.of(image(inputs))
        .withName(BINARY)
        .withCommand(command(inputs))
        .withResources(ContainerLimits.complete(asked(inputs)))
        .addNewPort()
        .withName("https")
        .withContainerPort(PORT)
        .withProtocol("TCP")
        .endPort()
        .withReadinessProbe(PodProbes.https("/healthz").withPeriodSeconds(2).build())
        .withVolumeMounts(
            PodVolumes.readOnly("pki", PoolPods.PKI),
            PodVolumes.configurationMount(PoolPods.CONFIGURATION_FOLDER))
        .build();
  }

  private static List<String> command(PoolInputs inputs) {
    List<String> command = new ArrayList<>();
    command.add(BINARY);
    command.add("--authentication-kubeconfig=" + KUBECONFIG);
    command.add("--authentication-tolerate-lookup-failure=true");
    command.add("--authorization-kubeconfig=" + KUBECONFIG);
    command.add("--bind-address=::");
    command.add("--config=" + PoolPods.CONFIGURATION_FILE);
    if (inputs.ownsServer()) {
      command.add("--tls-cert-file=" + PoolPods.PKI + "server.crt");
      command.add("--tls-private-key-file=" + PoolPods.PKI + "server.key");
    } else {
      // It makes itself one, and its file system is read-only.
      command.add("--cert-dir=/dev/shm");
    }
    return command;
  }
}
