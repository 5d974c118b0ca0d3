// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.render;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.api.v1alpha1.NodeAddressesSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolSpec;
import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.net.ClusterDns;
import io.exaplane.operator.nodepool.join.CloudInit;
import io.exaplane.operator.nodepool.join.Ignition;
import io.exaplane.operator.nodepool.join.JoinInput;
import io.exaplane.operator.nodepool.join.JoinScript;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;

/** The Secret with which hosts join a pool: one script in three forms. Pure. */
public final class JoinSecret {
  private JoinSecret() {}

  /**
   * The token in the Secret.
   *
   * @param id its public half
   * @param text as a client sends it
   * @param expires when it ends
   */
  public record Token(String id, String text, Instant expires) {
    /** Without what opens the cluster. */
    @Override
    public String toString() {
      return "Token[id=%s, expires=%s]".formatted(id, expires);
    }
  }

  /** The Secret. */
  public static Secret of(
      NodePool pool,
      ControlPlane controlPlane,
      String version,
      ApiEndpoint endpoint,
      KubeletSettings kubelet,
      Token token) {
    NodePoolNames names = new NodePoolNames(pool);
    String script = JoinScript.render(input(pool, controlPlane, version, endpoint, kubelet, token));
    Map<String, String> data = new TreeMap<>();
    data.put(NodePoolNames.JOIN_SCRIPT, script);
    data.put(NodePoolNames.CLOUD_INIT, CloudInit.render(script));
    data.put(NodePoolNames.IGNITION, Ignition.render(script));
    data.replaceAll(
        (_, text) -> Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
    return new SecretBuilder()
        .withNewMetadata()
        .withName(names.joinSecret())
        .withNamespace(pool.getMetadata().getNamespace())
        .withLabels(names.labels())
        .addToAnnotations(NodePoolNames.EXPIRES, token.expires().toString())
        .addToAnnotations(NodePoolNames.TOKEN_ID, token.id())
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion(pool.getApiVersion())
                .withKind(pool.getKind())
                .withName(pool.getMetadata().getName())
                .withUid(pool.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build())
        .endMetadata()
        .withType("Opaque")
        .withData(data)
        .build();
  }

  private static JoinInput input(
      NodePool pool,
      ControlPlane controlPlane,
      String version,
      ApiEndpoint endpoint,
      KubeletSettings kubelet,
      Token token) {
    NodePoolSpec spec = pool.getSpec();
    NetworkSpec network = controlPlane.getSpec().network();
    NodeAddressesSpec addresses = spec.addresses();
    return new JoinInput(
        endpoint.server(),
        endpoint.caPem(),
        token.text(),
        token.expires(),
        pool.getMetadata().getName(),
        version,
        kubelet.json(),
        Objects.requireNonNullElse(spec.labels(), Map.of()),
        taints(spec),
        ClusterDns.address(NetworkSpec.serviceCIDRs(network).getFirst()),
        NetworkSpec.clusterDomain(network),
        addresses == null ? OptionalInt.empty() : OptionalInt.of(addresses.podPrefixLength()),
        addresses == null ? List.of() : addresses.prefixes(),
        HostNetworks.of(spec));
  }

  private static List<JoinInput.Taint> taints(NodePoolSpec spec) {
    return spec.taints() == null
        ? List.of()
        : spec.taints().stream()
            .map(
                taint ->
                    new JoinInput.Taint(
                        taint.key(),
                        Objects.requireNonNullElse(taint.value(), ""),
                        taint.effect().name()))
            .toList();
  }
}
