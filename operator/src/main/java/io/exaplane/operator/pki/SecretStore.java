// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Reads and writes Secrets of an owner. Reads go to the informer's cache; before anything is made
 * or changed the API server is asked, since a cache may be behind. Used by one reconciliation at a
 * time.
 */
final class SecretStore {
  private static final String FIELD_MANAGER = "exaplane-operator";
  private static final int CONFLICT = 409;

  private final KubernetesClient client;
  private final HasMetadata owner;
  private final Map<String, String> labels;
  private final Function<String, Secret> cached;

  SecretStore(
      KubernetesClient client,
      HasMetadata owner,
      Map<String, String> labels,
      Function<String, Secret> cached) {
    this.client = client;
    this.owner = owner;
    this.labels = labels;
    this.cached = cached;
  }

  /** The files of a Secret as the cache has it; empty without one. */
  Map<String, byte[]> cached(String name) {
    return files(cached.apply(name));
  }

  /**
   * The files of a Secret as the API server has it; empty without one.
   *
   * @throws IllegalStateException if it goes with an owner that was removed: it is gone soon
   */
  Map<String, byte[]> live(String name) {
    Secret secret =
        client.secrets().inNamespace(owner.getMetadata().getNamespace()).withName(name).get();
    if (secret != null && isOfAnother(secret)) {
      throw new IllegalStateException(
          "Secret %s still belongs to the %s of the same name that was removed before; it is asked again until the garbage collector has taken it"
              .formatted(name, owner.getKind()));
    }
    return files(secret);
  }

  private boolean isOfAnother(Secret secret) {
    return secret.getMetadata().getOwnerReferences().stream()
        .filter(reference -> Boolean.TRUE.equals(reference.getController()))
        .anyMatch(reference -> !reference.getUid().equals(owner.getMetadata().getUid()));
  }

  /** Makes a Secret unless there is one, and returns the files of the one that is then there. */
  Map<String, byte[]> createOnce(String name, Map<String, String> files) {
    try {
      return files(client.resource(secret(name, Map.of(), files)).create());
    } catch (KubernetesClientException e) {
      if (e.getCode() != CONFLICT) {
        throw e;
      }
      return live(name);
    }
  }

  /** Writes a Secret. */
  void apply(String name, Map<String, String> extraLabels, Map<String, String> files) {
    client
        .resource(secret(name, extraLabels, files))
        .fieldManager(FIELD_MANAGER)
        .forceConflicts()
        .serverSideApply();
  }

  /** Puts the owner and the labels on a Secret that is there, and leaves the rest of it alone. */
  void adopt(String name) {
    Secret metadata = secret(name, Map.of(), Map.of());
    metadata.setType(null);
    metadata.setData(null);
    client
        .secrets()
        .inNamespace(owner.getMetadata().getNamespace())
        .withName(name)
        .patch(PatchContext.of(PatchType.JSON_MERGE), metadata);
  }

  private Secret secret(String name, Map<String, String> extraLabels, Map<String, String> files) {
    Map<String, String> allLabels = new TreeMap<>(labels);
    allLabels.putAll(extraLabels);
    Map<String, String> data = new TreeMap<>();
    files.forEach(
        (file, text) ->
            data.put(
                file,
                Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII))));
    OwnerReference reference =
        new OwnerReferenceBuilder()
            .withApiVersion(owner.getApiVersion())
            .withKind(owner.getKind())
            .withName(owner.getMetadata().getName())
            .withUid(owner.getMetadata().getUid())
            .withController(true)
            .withBlockOwnerDeletion(true)
            .build();
    return new SecretBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(owner.getMetadata().getNamespace())
        .withLabels(allLabels)
        .withOwnerReferences(reference)
        .endMetadata()
        .withType("Opaque")
        .withData(data)
        .build();
  }

  private static Map<String, byte[]> files(Secret secret) {
    Map<String, byte[]> files = new TreeMap<>();
    if (secret != null && secret.getData() != null) {
      secret.getData().forEach((file, text) -> files.put(file, Base64.getDecoder().decode(text)));
    }
    return files;
  }
}
