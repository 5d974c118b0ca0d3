// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.render;

import io.exaplane.operator.config.Images;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.pod.ContainerLimits;
import io.exaplane.operator.pod.PodSecurity;
import io.exaplane.tuning.model.PoolSize;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The pods of a pool's tiers. Pure. */
final class PoolPods {
  static final String PKI = "/etc/kubernetes/pki/";
  static final String CONFIGURATION = "exaplane.io/configuration";
  static final String CREDENTIALS_EPOCH = "exaplane.io/certificates";
  private static final String RESTARTED_AT = "exaplane.io/restarted-at";
  private static final String VERSION = "exaplane.io/kubernetes-version";
  static final String CONFIGURATION_FOLDER = "/etc/exaplane/configuration";
  static final String CONFIGURATION_FILE = CONFIGURATION_FOLDER + "/config.yaml";
  private static final String TREE = "/etc/exaplane/tree/";
  private static final int HTTP_PORT = 10260;
  private static final int SECRET_MODE = 0440;
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
        .withNewSpec()
        .withAutomountServiceAccountToken(false)
        .withEnableServiceLinks(false)
        .withTerminationGracePeriodSeconds(30L)
        .withImagePullSecrets(inputs.images().pullSecrets())
        .withSecurityContext(PodSecurity.pod())
        .addNewTopologySpreadConstraint()
        .withMaxSkew(1)
        .withTopologyKey("kubernetes.io/hostname")
        .withWhenUnsatisfiable("ScheduleAnyway")
        .withNewLabelSelector()
        .withMatchLabels(names.selector(tier))
        .endLabelSelector()
        .endTopologySpreadConstraint()
        .addToContainers(container(inputs, tier))
        .withVolumes(volumes(inputs, tier))
        .endSpec()
        .build();
  }

  private static Map<String, String> annotations(PoolInputs inputs, Tier tier) {
    Map<String, String> annotations = new TreeMap<>();
    String restartedAt = inputs.pool().getSpec().restartedAt();
    if (restartedAt != null) {
      annotations.put(RESTARTED_AT, restartedAt);
    }
    if (tier == Tier.ROOT) {
      annotations.put(CONFIGURATION, PoolConfiguration.ofRoot(inputs.pool().getSpec()));
      annotations.put(CREDENTIALS_EPOCH, inputs.credentialsEpoch());
      // A root takes the rules of the minor version that it finds when it starts.
      annotations.put(VERSION, inputs.kubernetesVersion().replaceFirst("^(\\d+\\.\\d+).*", "$1"));
    }
    return annotations;
  }

  private static Container container(PoolInputs inputs, Tier tier) {
    ResourceRequirements resources = resources(inputs, tier);
    ContainerBuilder container =
        new ContainerBuilder()
            .withName(tier.label())
            .withImage(inputs.images().scheduler())
            .withImagePullPolicy(Images.pullPolicy(inputs.images().scheduler()))
            .withArgs(arguments(inputs, tier))
            .addNewEnv()
            .withName("EXAPLANE_HTTP_HOST")
            .withValue("::")
            .endEnv()
            .withResources(ContainerLimits.complete(resources))
            .withSecurityContext(PodSecurity.container())
            .withTerminationMessagePolicy("FallbackToLogsOnError")
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
      volumes.add(secret("pki", inputs.credentialsSecret()));
      volumes.add(configuration());
    }
    if (inputs.hasTree()) {
      volumes.add(secret("tree", inputs.names().treeSecret()));
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

  static Volume secret(String volume, String secret) {
    return new VolumeBuilder()
        .withName(volume)
        .withNewSecret()
        .withSecretName(secret)
        .withDefaultMode(SECRET_MODE)
        .endSecret()
        .build();
  }

  /** The configuration goes with the pod: none ever reads the next one's. */
  static Volume configuration() {
    return new VolumeBuilder()
        .withName("configuration")
        .withNewDownwardAPI()
        .addNewItem()
        .withPath("config.yaml")
        .withNewFieldRef()
        .withApiVersion("v1")
        .withFieldPath("metadata.annotations['" + CONFIGURATION + "']")
        .endFieldRef()
        .endItem()
        .endDownwardAPI()
        .build();
  }

  private static List<VolumeMount> mounts(PoolInputs inputs, Tier tier) {
    List<VolumeMount> mounts = new ArrayList<>();
    if (tier == Tier.ROOT) {
      mounts.add(mount("pki", PKI));
      mounts.add(mount("configuration", CONFIGURATION_FOLDER));
    }
    if (inputs.hasTree()) {
      mounts.add(mount("tree", TREE));
    }
    mounts.add(new VolumeMountBuilder().withName("tmp").withMountPath("/tmp").build());
    return mounts;
  }

  static VolumeMount mount(String volume, String path) {
    return new VolumeMountBuilder()
        .withName(volume)
        .withMountPath(path.endsWith("/") ? path.substring(0, path.length() - 1) : path)
        .withReadOnly(true)
        .build();
  }

  private static Probe probe(String path, int periodSeconds, int failures) {
    return new ProbeBuilder()
        .withNewHttpGet()
        .withScheme("HTTP")
        .withPath(path)
        .withPort(new IntOrString("http"))
        .endHttpGet()
        .withPeriodSeconds(periodSeconds)
        .withFailureThreshold(failures)
        .withTimeoutSeconds(5)
        .build();
  }
}
