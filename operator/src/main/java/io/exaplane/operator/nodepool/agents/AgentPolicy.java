// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.nodepool.agents.AgentPlan.Policy;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBindingBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** The policy about DaemonSets as objects of the hosted cluster. Pure. */
final class AgentPolicy {
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  private AgentPolicy() {}

  /** The policy, then its binding. */
  static List<HasMetadata> objects(Policy policy) {
    String exempt =
        policy.exempt().stream().map("'%s'"::formatted).collect(Collectors.joining(", ", "[", "]"));
    List<HasMetadata> objects =
        SERIALIZATION.unmarshal(
            template()
                .replace("$SHARE", Integer.toString(policy.percent()))
                .replace("$EXEMPT", exempt)
                .replace("$MODE", policy.mode().name()));
    return objects;
  }

  /** The binding, then the policy: to ask for and to delete. */
  static List<HasMetadata> names() {
    return List.of(
        new ValidatingAdmissionPolicyBindingBuilder()
            .withNewMetadata()
            .withName(NodePoolNames.AGENT_POLICY)
            .endMetadata()
            .build(),
        new ValidatingAdmissionPolicyBuilder()
            .withNewMetadata()
            .withName(NodePoolNames.AGENT_POLICY)
            .endMetadata()
            .build());
  }

  private static String template() {
    try (InputStream file = AgentPolicy.class.getResourceAsStream("/hosted/agent-policy.yaml")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
