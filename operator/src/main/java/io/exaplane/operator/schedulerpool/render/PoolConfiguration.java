// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.render;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.api.v1alpha1.SchedulerPoolSpec;
import io.exaplane.api.v1alpha1.SchedulerProfileSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The KubeSchedulerConfiguration of a pool and of the kube-scheduler that stands in. Pure. */
final class PoolConfiguration {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  private PoolConfiguration() {}

  /** What a root is given. */
  static String ofRoot(SchedulerPoolSpec spec) {
    return text(base(spec));
  }

  /** What the kube-scheduler is given: the same, and the pool's Lease. */
  static String ofFallback(SchedulerPoolSpec spec, String kubeconfig) {
    Map<String, Object> configuration = base(spec);
    configuration.put("clientConnection", Map.of("kubeconfig", kubeconfig));
    configuration.put(
        "leaderElection",
        Map.of(
            "leaderElect",
            true,
            "resourceNamespace",
            "kube-system",
            "resourceName",
            spec.leaseName()));
    return text(configuration);
  }

  private static Map<String, Object> base(SchedulerPoolSpec spec) {
    Map<String, Object> profile = new LinkedHashMap<>();
    profile.put("schedulerName", spec.effectiveSchedulerName());
    SchedulerProfileSpec own = spec.profile();
    if (own != null && own.plugins() != null) {
      profile.put("plugins", own.plugins());
    }
    if (own != null && own.pluginConfig() != null) {
      profile.put(
          "pluginConfig",
          own.pluginConfig().stream()
              .map(
                  each ->
                      Map.of(
                          "name",
                          each.name(),
                          "args",
                          each.args() == null ? Map.of() : each.args()))
              .toList());
    }
    Map<String, Object> configuration = new LinkedHashMap<>();
    configuration.put("apiVersion", "kubescheduler.config.k8s.io/v1");
    configuration.put("kind", "KubeSchedulerConfiguration");
    configuration.put("profiles", List.of(profile));
    return configuration;
  }

  private static String text(Map<String, Object> configuration) {
    try {
      return JSON.writeValueAsString(configuration);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the configuration cannot be written", e);
    }
  }
}
