// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.LocalRef;
import io.exaplane.operator.pki.SecretUse;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * Secrets that add-ons of one control plane name. Who writes a spec need not be allowed to read
 * every Secret of the namespace, so whoever made the Secret says by a label whom it is for.
 */
record LabelledSecrets(KubernetesClient client, ControlPlane controlPlane) {
  /** On a Secret, the name of the ControlPlane whose add-ons may have it. */
  static final String LABEL = "exaplane.io/addons-of";

  /**
   * Reads a Secret.
   *
   * @param field that names the Secret, for messages
   * @param made how to make such a Secret, behind {@code kubectl create secret}
   */
  Secret read(String field, LocalRef ref, String made) throws AddonReader.Unreadable {
    String namespace = controlPlane.getMetadata().getNamespace();
    Secret secret = client.secrets().inNamespace(namespace).withName(ref.name()).get();
    if (secret == null) {
      throw new AddonReader.Unreadable(
          "%1$s %2$s: does not exist in the namespace %3$s; create it, for example with 'kubectl -n %3$s create secret %4$s'"
              .formatted(field, ref.name(), namespace, made.formatted(ref.name())));
    }
    Optional<String> objection = SecretUse.objection(secret, controlPlane, LABEL, false);
    if (objection.isPresent()) {
      throw new AddonReader.Unreadable(
          "%6$s %1$s: the Secret %2$s, with which its maker allows the use; run 'kubectl -n %3$s label secret %1$s %4$s=%5$s', or name another Secret"
              .formatted(
                  ref.name(),
                  objection.get(),
                  namespace,
                  LABEL,
                  controlPlane.getMetadata().getName(),
                  field));
    }
    return secret;
  }

  /** The text of a key; empty if the Secret does not have the key. */
  static String text(String field, Secret secret, String key) throws AddonReader.Unreadable {
    Map<String, String> data = secret.getData() == null ? Map.of() : secret.getData();
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(Base64.getDecoder().decode(data.getOrDefault(key, ""))))
          .toString();
    } catch (CharacterCodingException e) {
      throw new AddonReader.Unreadable(
          "%s %s: the key %s is not UTF-8; save the file as UTF-8"
              .formatted(field, secret.getMetadata().getName(), key));
    }
  }
}
