// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;

/** DaemonSets of agents, as JSON. */
final class AgentManifests {
  private AgentManifests() {}

  /** One in the namespace default, with this in its spec. */
  static String agent(String name, String spec) {
    return Serialization.asJson(
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: %1$s, namespace: default}
            spec:
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s}}
                spec:
                  automountServiceAccountToken: false
                  containers: [{name: agent, image: agent}]
              %2$s
            """
                .formatted(name, spec),
            GenericKubernetesResource.class));
  }

  /** One with everything that the policy asks for, if the arguments are so. */
  static String good(String unavailable, String ready, String account, String cpu) {
    return agent(
            "good",
            "updateStrategy: {rollingUpdate: {maxUnavailable: %s}}\n  minReadySeconds: %s"
                .formatted(unavailable, ready))
        .replace(
            "\"automountServiceAccountToken\"",
            "\"serviceAccountName\":\"%s\",\"automountServiceAccountToken\"".formatted(account))
        .replace(
            "\"image\":\"agent\"",
            cpu.isEmpty()
                ? "\"image\":\"agent\""
                : "\"image\":\"agent\",\"resources\":{\"requests\":{\"cpu\":\"%s\",\"memory\":\"1Mi\"}}"
                    .formatted(cpu));
  }
}
