// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.api.v1alpha1.ImagesSpec;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Whether pods may pull with a Secret that a spec names. Who writes a spec need not be allowed to
 * use every credential of the namespace, so whoever made the Secret says by a label that it is for
 * this. Thread-safe: keeps nothing.
 */
public final class PullSecretUse {
  /** Of the value {@code true} on a Secret with which objects of ours may pull images. */
  public static final String LABEL = Names.GROUP + "/pull-secret";

  private static final Set<String> TYPES =
      Set.of("kubernetes.io/dockerconfigjson", "kubernetes.io/dockercfg");

  private PullSecretUse() {}

  /**
   * What speaks against the Secret that a spec names, with field and next action; asks the API
   * server.
   *
   * @param images of the spec, or null
   */
  public static Optional<String> objection(
      HasMetadata user, ImagesSpec images, KubernetesClient client) {
    if (images == null || images.pullSecret() == null) {
      return Optional.empty();
    }
    String namespace = user.getMetadata().getNamespace();
    Secret secret = client.secrets().inNamespace(namespace).withName(images.pullSecret()).get();
    return objection(user, secret)
        .map(
            why ->
                "spec.images.pullSecret %1$s: the Secret %2$s. A Secret that its maker allows for this has the type kubernetes.io/dockerconfigjson and a label: 'kubectl -n %3$s label secret %1$s %4$s=true'. Label the Secret, or name another"
                    .formatted(images.pullSecret(), why, namespace, LABEL));
  }

  /**
   * What is said of one whose pods pull with a Secret that a new one could not use.
   *
   * @param objection to the Secret, with the next action
   */
  public static Problem notice(String objection) {
    return new Problem(
        Reason.PullSecretUnlabelled,
        objection
            + ". Running pods keep the Secret, and the operator continues. Objects that are created again cannot use the Secret.");
  }

  /** The same of a Secret, or of null when there is none. Pure. */
  static Optional<String> objection(HasMetadata user, Secret secret) {
    if (secret == null) {
      return Optional.of("does not exist");
    }
    if (!TYPES.contains(secret.getType())) {
      return Optional.of("has the type " + secret.getType());
    }
    Optional<OwnerReference> owner = SecretUse.owner(secret);
    if (owner.isPresent()) {
      return owner.get().getUid().equals(user.getMetadata().getUid())
          ? Optional.empty()
          : Optional.of("belongs to %s %s".formatted(owner.get().getKind(), owner.get().getName()));
    }
    Map<String, String> labels =
        Objects.requireNonNullElse(secret.getMetadata().getLabels(), Map.of());
    return "true".equals(labels.get(LABEL))
        ? Optional.empty()
        : Optional.of("does not have the label %s: \"true\"".formatted(LABEL));
  }

  /** Whether pods that are there pull with it already, from before the label was asked for. */
  public static boolean isIn(PodSpec pods, ImagesSpec images) {
    List<LocalObjectReference> there =
        Objects.requireNonNullElse(pods.getImagePullSecrets(), List.of());
    return images != null
        && there.stream().anyMatch(secret -> secret.getName().equals(images.pullSecret()));
  }
}
