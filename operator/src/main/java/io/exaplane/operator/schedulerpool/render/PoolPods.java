// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.render;

import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.pod.ContainerLimits;
import io.exaplane.operator.pod.PodContainers;
import io.exaplane.operator.pod.PodFrame;
import io.exaplane.operator.pod.PodProbes;
import io.exaplane.operator.pod.PodVolumes;
import io.exaplane.tuning.model.PoolSize;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The pods of a pool's tiers. Pure. */
final class PoolPods {
  static final String PKI = "/etc/kubernetes/pki/";
  static final String CREDENTIALS_EPOCH = "exaplane.io/certificates";
  private static final String RESTARTED_AT = "exaplane.io/restarted-at";
  private static final String VERSION = "exaplane.io/kubernetes-version";
  static final String CONFIGURATION_FOLDER = "/etc/exaplane/configuration";
  static final String CONFIGURATION_FILE =
      CONFIGURATION_FOLDER + "/" + PodVolumes.CONFIGURATION_FILE;
  private static final String TREE = "/etc/exaplane/tree/";
  private static final int HTTP_PORT = 10260;
  private static final long MIB = 1 << 20;

  private PoolPods() {}

  /** The pods of a tier, as this operator makes new ones. */
  static PodTemplateSpec of(PoolInputs inputs, Tier tier) {
    PoolNames names = inputs.names();
    return new PodTemplateSpecBuilder()
        .withNewMetadata()
        .withLabels(names.labels(tier))
        .withAnnotations(annotations(inputs, tier))
        .endMetadata()
        .withSpec(
            PodFrame.of(inputs.images().pullSecrets(), 30)
                .addToTopologySpreadConstraints(PodFrame.spread(names.selector(tier)))
                .addToContainers(container(inputs, tier))
                .withVolumes(volumes(inputs, tier))
                .build())
        .build();
  }

  private static Map<String, String> annotations(PoolInputs inputs, Tier tier) {
    Map<String, String> annotations = new TreeMap<>();
    String restartedAt = inputs.pool().getSpec().restartedAt();
    if (restartedAt != null) {
      annotations.put(RESTARTED_AT, restartedAt);
    }
    if (tier == Tier.ROOT) {
      annotations.put(PodVolumes.CONFIGURATION, PoolConfiguration.ofRoot(inputs.pool().getSpec()));
      annotations.put(CREDENTIALS_EPOCH, inputs.credentialsEpoch());
      // A root takes the rules of the minor version that it finds when it starts.
      annotations.put(VERSION, inputs.kubernetesVersion().replaceFirst("^(\\d+\\.\\d+).*", "$1"));
    }
    return annotations;
  }

  private static Container container(PoolInputs inputs, Tier tier) {
    ResourceRequirements resources = resources(inputs, tier);
    ContainerBuilder container =
        PodContainers.of(inputs.images().scheduler())
            .withName(tier.label())
            .withArgs(arguments(inputs, tier))
            .addNewEnv()
            .withName("EXAPLANE_HTTP_HOST")
            .withValue("::")
            .endEnv()
            .withResources(ContainerLimits.complete(resources))
            .withTerminationMessagePolicy(PodContainers.LAST_WORDS)
            .addNewPort()
            .withName("http")
            .withContainerPort(HTTP_PORT)
            .withProtocol("TCP")
            .endPort()
            .withStartupProbe(probe("/q/health/live", 1, 120))
            .withLivenessProbe(probe("/q/health/live", 10, 6))
            .withReadinessProbe(probe(readiness(tier), 2, 3))
            .withVolumeMounts(mounts(inputs, tier));
    if (listens(inputs, tier)) {
      container
          .addNewPort()
          .withName("tree")
          .withContainerPort(PoolServices.TREE_PORT)
          .withProtocol("TCP")
          .endPort();
    }
    return container.build();
  }

  /**
   * A shard or relay that a root of another version refuses must hold no rollout up that would end
   * with that root's: TreeFormed tells who is no member.
   */
  private static String readiness(Tier tier) {
    return tier == Tier.ROOT ? "/q/health/ready" : "/q/health/live";
  }

  private static boolean listens(PoolInputs inputs, Tier tier) {
    return inputs.hasTree() && tier != Tier.SHARD;
  }

  private static List<String> arguments(PoolInputs inputs, Tier tier) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--role=" + tier.label());
    if (tier == Tier.ROOT) {
      arguments.add("--kubeconfig=" + PKI + "kubeconfig");
      arguments.add("--config=" + CONFIGURATION_FILE);
      arguments.add("--leader-elect-resource-name=" + inputs.pool().getSpec().leaseName());
    } else {
      arguments.add("--tree-parents=" + parents(inputs, tier));
    }
    if (listens(inputs, tier)) {
      arguments.add("--tree-listen=[::]:" + PoolServices.TREE_PORT);
    }
    if (inputs.hasTree()) {
      arguments.add("--tree-cert-file=" + TREE + "tls.crt");
      arguments.add("--tree-key-file=" + TREE + "tls.key");
      arguments.add("--tree-trusted-ca-file=" + TREE + "ca.crt");
    }
    return arguments;
  }

  /** Relays, each shard another one first, and then the roots. */
  private static String parents(PoolInputs inputs, Tier tier) {
    String roots = addresses(inputs, Tier.ROOT, ",");
    return tier == Tier.SHARD && inputs.replicas(Tier.RELAY) > 0
        ? addresses(inputs, Tier.RELAY, "+") + "," + roots
        : roots;
  }

  private static String addresses(PoolInputs inputs, Tier tier, String separator) {
    return inputs.names().members(tier, inputs.replicas(tier)).stream()
        .map(inputs.addresses()::get)
        .map(address -> IpAddresses.urlHost(address) + ":" + PoolServices.TREE_PORT)
        .collect(Collectors.joining(separator));
  }

  private static ResourceRequirements resources(PoolInputs inputs, Tier tier) {
    ResourceRequirements own = tier.resources(inputs.pool().getSpec());
    ResourceRequirementsBuilder resources =
        own == null ? new ResourceRequirementsBuilder() : new ResourceRequirementsBuilder(own);
    PoolSize size =
        PoolSize.of(inputs.nodes(), inputs.pods(), Math.max(1, inputs.replicas(Tier.SHARD)));
    double bytes =
        switch (tier) {
          case ROOT -> size.rootMemory();
          case RELAY -> size.relayMemory();
          case SHARD -> size.shardMemory();
        };
    if (!names(own, "memory")) {
      resources.addToRequests("memory", mebibytes(bytes));
      resources.addToLimits("memory", mebibytes(2 * bytes));
    }
    if (!names(own, "cpu")) {
      resources.addToRequests("cpu", new Quantity("100m"));
    }
    return resources.build();
  }

  private static boolean names(ResourceRequirements own, String amount) {
    return own != null
        && (own.getRequests() != null && own.getRequests().containsKey(amount)
            || own.getLimits() != null && own.getLimits().containsKey(amount));
  }

  private static Quantity mebibytes(double bytes) {
    long mebibytes = (long) (bytes / MIB);
    // As the API server writes it, for which 1024Mi is 1Gi.
    return mebibytes % 1024 == 0
        ? new Quantity(mebibytes / 1024 + "Gi")
        : new Quantity(mebibytes + "Mi");
  }

  private static List<Volume> volumes(PoolInputs inputs, Tier tier) {
    List<Volume> volumes = new ArrayList<>();
    if (tier == Tier.ROOT) {
      volumes.add(PodVolumes.secret("pki", inputs.credentialsSecret()));
      volumes.add(PodVolumes.configuration());
    }
    if (inputs.hasTree()) {
      volumes.add(PodVolumes.secret("tree", inputs.names().treeSecret()));
    }
    volumes.add(
        new VolumeBuilder()
            .withName("tmp")
            .withNewEmptyDir()
            .withSizeLimit(new Quantity("64Mi"))
            .endEmptyDir()
            .build());
    return volumes;
  }

  private static List<VolumeMount> mounts(PoolInputs inputs, Tier tier) {
    List<VolumeMount> mounts = new ArrayList<>();
    if (tier == Tier.ROOT) {
      mounts.add(PodVolumes.readOnly("pki", PKI));
      mounts.add(PodVolumes.configurationMount(CONFIGURATION_FOLDER));
    }
    if (inputs.hasTree()) {
      mounts.add(PodVolumes.readOnly("tree", TREE));
    }
    mounts.add(PodVolumes.writable("tmp", "/tmp"));
    return mounts;
  }

  private static Probe probe(String path, int periodSeconds, int failures) {
    return PodProbes.paced(PodProbes.http(path, "http"), periodSeconds, failures, 5);
  }
}
