// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.AwaitedException;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  /** A Secret as the cache has it, if it is there. */
  Optional<Secret> cachedSecret(String name) {
    return Optional.ofNullable(cached.apply(name));
  }

  /**
   * A Secret as the API server has it, if it is there.
   *
   * @throws AwaitedException if it goes with an owner that was removed: it is gone soon
   */
  Optional<Secret> liveSecret(String name) {
    Secret secret =
        client.secrets().inNamespace(owner.getMetadata().getNamespace()).withName(name).get();
    if (secret != null && Ownership.isOfPredecessor(secret, owner)) {
      throw new AwaitedException(
          "Secret %s still belongs to the deleted %s of the same name; the operator retries until the garbage collector has removed the Secret"
              .formatted(name, owner.getKind()));
    }
    return Optional.ofNullable(secret);
  }

  /** Whether a Secret of a wanted name is the owner's, or may be made so. */
  boolean mayUse(Secret secret) {
    return Ownership.mayBecome(secret, owner, labels);
  }

  /** Makes a Secret unless there is one, and returns the files of the one that is then there. */
  Map<String, byte[]> createOnce(String name, Map<String, String> files) {
    return create(secret(name, Map.of(), files));
  }

  /**
   * The same for one that has a record of its owner.
   *
   * @param retained whether it outlives its owner, and so has no reference to it
   */
  Map<String, byte[]> createOnce(String name, Map<String, String> files, boolean retained) {
    Secret secret = secret(name, Map.of(), files);
    secret
        .getMetadata()
        .setAnnotations(Map.of(ControlPlaneNames.CONTROL_PLANE_UID, owner.getMetadata().getUid()));
    if (retained) {
      secret.getMetadata().setOwnerReferences(List.of());
    }
    return create(secret);
  }

  private Map<String, byte[]> create(Secret secret) {
    try {
      return files(client.resource(secret).create());
    } catch (KubernetesClientException e) {
      if (e.getCode() != CONFLICT) {
        throw e;
      }
      return files(liveSecret(secret.getMetadata().getName()).filter(this::mayUse).orElse(null));
    }
  }

  /** Writes on a Secret whose it is, unless it says so, and leaves the rest of it alone. */
  void tie(Secret secret, boolean retained) {
    if (!Ownership.isWritten(secret, owner, labels, retained)) {
      client
          .secrets()
          .inNamespace(owner.getMetadata().getNamespace())
          .withName(secret.getMetadata().getName())
          .patch(
              PatchContext.of(PatchType.JSON_MERGE),
              Ownership.patch(secret, owner, labels, retained));
    }
  }

  /**
   * Changes files of a Secret as it was seen.
   *
   * @param files all files of the keys; those of before that are not among them go
   * @param before names of files of before
   * @return false if somebody changed the Secret meanwhile: nothing is written then
   */
  boolean replace(Secret seen, Map<String, String> files, Set<String> before) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("resourceVersion", seen.getMetadata().getResourceVersion());
    ObjectNode data = patch.putObject("data");
    before.stream().filter(file -> !files.containsKey(file)).forEach(data::putNull);
    files.forEach((file, text) -> data.put(file, base64(text)));
    try {
      client
          .secrets()
          .inNamespace(owner.getMetadata().getNamespace())
          .withName(seen.getMetadata().getName())
          .patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString());
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() != CONFLICT) {
        throw e;
      }
      return false;
    }
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Gives one that is there, and that may be used, its owner, and leaves its files as they are. */
  void own(Secret there) {
    if (!there.hasOwnerReferenceFor(owner)) {
      Map<String, String> files = new TreeMap<>();
      files(there)
          .forEach((file, bytes) -> files.put(file, new String(bytes, StandardCharsets.US_ASCII)));
      apply(there.getMetadata().getName(), Map.of(), files);
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

  private Secret secret(String name, Map<String, String> extraLabels, Map<String, String> files) {
    Map<String, String> allLabels = new TreeMap<>(labels);
    allLabels.putAll(extraLabels);
    Map<String, String> data = new TreeMap<>();
    files.forEach((file, text) -> data.put(file, base64(text)));
    return new SecretBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(owner.getMetadata().getNamespace())
        .withLabels(allLabels)
        .withOwnerReferences(reference(owner))
        .endMetadata()
        .withType("Opaque")
        .withData(data)
        .build();
  }

  static OwnerReference reference(HasMetadata owner) {
    return new OwnerReferenceBuilder()
        .withApiVersion(owner.getApiVersion())
        .withKind(owner.getKind())
        .withName(owner.getMetadata().getName())
        .withUid(owner.getMetadata().getUid())
        .withController(true)
        .withBlockOwnerDeletion(true)
        .build();
  }

  static Map<String, byte[]> files(Secret secret) {
    Map<String, byte[]> files = new TreeMap<>();
    if (secret != null && secret.getData() != null) {
      secret.getData().forEach((file, text) -> files.put(file, Base64.getDecoder().decode(text)));
    }
    return files;
  }
}
