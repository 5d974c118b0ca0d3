// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.exaplane.operator.hosted.AddressHolders.Holder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holders of addresses as ConfigMaps of the hosted cluster, one an address, in a namespace that
 * kubelets can't write to. Each belongs to its Node, so that the garbage collector takes it. The
 * API decides races. Not Leases: their store may be one that forgets.
 */
public final class AddressConfigMaps implements AddressHolders.Record {
  static final String NAMESPACE = "exaplane-node-addresses";
  private static final String COMPLETE = "exaplane.io/first-nodes-recorded";
  private static final String NODE = "node";

  /** Nobody has approved this address: its node said at the beginning that it has it. */
  private static final String FIRST = "first";

  private static final long PAGE = 500;

  private final KubernetesClient client;
  private volatile boolean prepared;

  AddressConfigMaps(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Makes the namespace, and records the nodes that there are already, the oldest first: an earlier
   * operator approved theirs without a record.
   */
  void prepare() {
    if (prepared) {
      return;
    }
    var namespace = client.namespaces().withName(NAMESPACE).get();
    if (namespace == null) {
      namespace =
          client
              .resource(
                  new NamespaceBuilder()
                      .withNewMetadata()
                      .withName(NAMESPACE)
                      .endMetadata()
                      .build())
              .create();
    }
    var annotations = namespace.getMetadata().getAnnotations();
    if (annotations == null || !annotations.containsKey(COMPLETE)) {
      recordNodes();
      client
          .namespaces()
          .withName(NAMESPACE)
          .edit(
              found ->
                  new NamespaceBuilder(found)
                      .editMetadata()
                      .addToAnnotations(COMPLETE, "true")
                      .endMetadata()
                      .build());
    }
    prepared = true;
  }

  private record Claim(String createdAt, Holder holder, InetAddress address) {}

  private void recordNodes() {
    List<Claim> claims = new ArrayList<>();
    String next = null;
    do {
      NodeList page =
          client.nodes().list(new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build());
      page.getItems().forEach(node -> claims.addAll(claims(node)));
      next = page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
    claims.sort(Comparator.comparing(Claim::createdAt));
    claims.forEach(
        claim ->
            write(
                claim.address(),
                Optional.empty(),
                configMap(
                    claim.address(),
                    claim.holder(),
                    Map.of(NODE, claim.holder().name(), FIRST, "true"))));
  }

  private static List<Claim> claims(Node node) {
    return KubeletServingRequest.addresses(node).stream()
        .map(
            address ->
                new Claim(node.getMetadata().getCreationTimestamp(), Holder.of(node), address))
        .toList();
  }

  @Override
  public Optional<Holder> find(InetAddress address) {
    return Optional.ofNullable(get(address)).map(AddressConfigMaps::holder);
  }

  @Override
  public boolean wasApproved(InetAddress address) {
    ConfigMap found = get(address);
    return found != null && (found.getData() == null || !found.getData().containsKey(FIRST));
  }

  private ConfigMap get(InetAddress address) {
    return client.configMaps().inNamespace(NAMESPACE).withName(name(address)).get();
  }

  private static Holder holder(ConfigMap found) {
    var owners = found.getMetadata().getOwnerReferences();
    return new Holder(
        found.getData() == null ? "" : found.getData().getOrDefault(NODE, ""),
        owners.isEmpty() ? "" : owners.getFirst().getUid());
  }

  @Override
  public boolean write(InetAddress address, Optional<Holder> before, Holder holder) {
    return write(address, before, configMap(address, holder, Map.of(NODE, holder.name())));
  }

  private boolean write(InetAddress address, Optional<Holder> before, ConfigMap desired) {
    try {
      if (before.isEmpty()) {
        client.resource(desired).create();
        return true;
      }
      ConfigMap found = get(address);
      if (found == null || !holder(found).equals(before.get())) {
        return false;
      }
      desired.getMetadata().setResourceVersion(found.getMetadata().getResourceVersion());
      client.resource(desired).update();
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        return false;
      }
      throw e;
    }
  }

  private static ConfigMap configMap(InetAddress address, Holder holder, Map<String, String> data) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name(address))
        .withNamespace(NAMESPACE)
        .addNewOwnerReference()
        .withApiVersion("v1")
        .withKind("Node")
        .withName(holder.name())
        .withUid(holder.uid())
        .endOwnerReference()
        .endMetadata()
        .withData(data)
        .build();
  }

  /** As fd00-10-1-0-0-0-0-11 or 192.0.2.11: a name has no colons. */
  private static String name(InetAddress address) {
    return address.getHostAddress().replace(':', '-');
  }
}
