// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ApiServerSpec;
import io.exaplane.api.v1alpha1.ApiServerTuning;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.EndpointSpec;
import io.exaplane.api.v1alpha1.EndpointType;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.api.v1alpha1.SizingSpec;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.tuning.model.DefinitionCost;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.model.StoreRate;
import io.exaplane.tuning.version.VersionMatrix;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What the tuning model is told of a control plane. Pure. */
final class ClusterShape {
  /** A Service's proxies let go of a pod that ends within seconds; a balancer asks now and then. */
  private static final int PROXY_SECONDS = 10;

  private static final int BALANCER_SECONDS = 30;

  /** Less than this the model has no answer for. */
  private static final long LEAST_MEMORY_BYTES = 512L << 20;

  private static final long LEAST_QUOTA_BYTES = 64L << 20;
  private static final long MOST_BYTES = 24L << 40;
  private static final double LEAST_CORES = 0.1;
  private static final double MOST_CORES = 1_024;

  private ClusterShape() {}

  /** Whether an etcd may have the Kinds that are written most, but for Events. */
  private static boolean hasEtcd(ControlPlaneSpec spec) {
    return StorageSpec.stores(spec.storage()).stream()
        .anyMatch(
            store ->
                store.effectiveEngine() == StoreEngine.Etcd
                    && store.effectiveCriticality() == Criticality.Critical);
  }

  /**
   * The shape of the cluster.
   *
   * @param storeQuota what a store takes that has too little, bytes
   * @param overridden whether what the user puts in the place of the model's values goes into it
   * @throws io.exaplane.tuning.model.InvalidInputException for what can't be
   */
  static Shape of(
      ControlPlaneSpec spec,
      String minor,
      boolean overridden,
      OptionalDouble storeQuota,
      VersionMatrix matrix) {
    Map<Input, String> inputs = new EnumMap<>(Input.class);
    inputs.put(Input.KUBERNETES_VERSION, minor);
    inputs.put(Input.NODES, spec.maxNodes().toString());
    inputs.put(Input.REPLICAS, Integer.toString(ApiServerSpec.replicas(spec.apiServer())));
    inputs.put(Input.SERVICE_CIDRS, String.join(",", NetworkSpec.serviceCIDRs(spec.network())));
    List<String> podCIDRs = NetworkSpec.podCIDRs(spec.network());
    if (!podCIDRs.isEmpty()) {
      inputs.put(Input.POD_CIDRS, String.join(",", podCIDRs));
    }
    boolean balanced = EndpointSpec.of(spec.endpoint()).type() == EndpointType.LoadBalancer;
    inputs.put(
        Input.LOAD_BALANCER_SECONDS, Integer.toString(balanced ? BALANCER_SECONDS : PROXY_SECONDS));
    // Stores have what they need, but for those that have too little.
    inputs.put(Input.EXAPLANE_STORES, "true");
    if (hasEtcd(spec)) {
      inputs.put(Input.STORE_WRITES, Long.toString((long) StoreRate.ETCD));
    }
    storeQuota.ifPresent(
        quota ->
            inputs.put(
                Input.STORE_QUOTA,
                Long.toString((long) Numbers.clamp(quota, LEAST_QUOTA_BYTES, MOST_BYTES))));
    memoryLimitBytes(spec)
        .ifPresent(bytes -> inputs.put(Input.APISERVER_MEMORY, Long.toString(bytes)));
    limit(spec, "cpu")
        .map(BigDecimal::doubleValue)
        .filter(cores -> cores >= LEAST_CORES && cores <= MOST_CORES)
        .ifPresent(cores -> inputs.put(Input.APISERVER_CPUS, cores.toString()));
    addWorkload(SizingSpec.of(spec.sizing()), inputs);
    if (overridden) {
      ApiServerTuning tuning = ApiServerTuning.of(spec.apiServer());
      put(inputs, Input.REQUESTS_IN_FLIGHT, tuning.maxRequestsInflight());
      put(inputs, Input.MUTATING_REQUESTS_IN_FLIGHT, tuning.maxMutatingRequestsInflight());
    }
    return Shape.of(inputs, matrix);
  }

  private static void addWorkload(SizingSpec sizing, Map<Input, String> inputs) {
    put(inputs, Input.PODS_PER_NODE, sizing.podsPerNode());
    put(inputs, Input.POD_CHURN, sizing.podChurnPerSecond());
    put(inputs, Input.SERVICES, sizing.services());
    put(inputs, Input.CUSTOM_RESOURCE_DEFINITIONS, sizing.customResourceDefinitions());
    addDefinitions(sizing, inputs);
    put(inputs, Input.KUBE_PROXY, sizing.kubeProxy());
    put(inputs, Input.CLIENT_BANDWIDTH, sizing.clientMegabytesPerSecond());
    put(inputs, Input.BREAK_GLASS_GROUP, sizing.breakGlassGroup());
    put(inputs, Input.AGENTS, joined(sizing.agents()));
    put(inputs, Input.HEAVY_LISTERS, joined(sizing.heavyListers()));
  }

  private static void addDefinitions(SizingSpec sizing, Map<Input, String> inputs) {
    put(inputs, Input.GROUP_VERSIONS, sizing.groupVersions());
    put(inputs, Input.CRD_VERSIONS, sizing.definitionVersions());
    put(inputs, Input.CUSTOM_RESOURCES, sizing.customResources());
    put(inputs, Input.CUSTOM_RESOURCE_BYTES, sizing.customResourceBytes());
    if (sizing.definitionProperties() != null) {
      put(
          inputs,
          Input.CRD_SCHEMA_KIB,
          DefinitionCost.schemaKib(sizing.definitionProperties().intValue()));
    }
  }

  private static void put(Map<Input, String> inputs, Input input, Object value) {
    if (value != null) {
      inputs.put(input, value.toString());
    }
  }

  private static String joined(List<String> words) {
    return words == null || words.isEmpty() ? null : String.join(",", words);
  }

  /** The memory limit that the user gave kube-apiserver, when the model can do with it. */
  static Optional<Long> memoryLimitBytes(ControlPlaneSpec spec) {
    return limit(spec, "memory")
        .map(BigDecimal::longValue)
        .filter(bytes -> bytes >= LEAST_MEMORY_BYTES && bytes <= MOST_BYTES);
  }

  private static Optional<BigDecimal> limit(ControlPlaneSpec spec, String resource) {
    return Optional.ofNullable(ApiServerSpec.resources(spec.apiServer()))
        .map(ResourceRequirements::getLimits)
        .map(limits -> limits.get(resource))
        .map(Quantity::getNumericalAmount);
  }
}
