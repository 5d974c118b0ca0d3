// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.retention;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * That keys were made for a control plane, as an annotation of the object itself: a backup tool
 * puts metadata back, and no status. By it one that is restored before its Secrets waits for them,
 * since with new keys its data, nodes and tokens would be lost. Pure but for {@link #write}.
 */
public final class KeysRecord {
  /** Name and UID of the control plane for which they were made, with a slash between. */
  public static final String ANNOTATION = "exaplane.io/keys-made-for";

  private KeysRecord() {}

  /** What stands against making new keys: they are somewhere, and not all are here. */
  public static Optional<Problem> problem(ControlPlane controlPlane, Collection<Secret> secrets) {
    Optional<String> uid = restoredFrom(controlPlane);
    Set<String> missing =
        new TreeSet<>(
            new ControlPlaneNames(controlPlane)
                .longLivedSecrets(controlPlane.getSpec().encryption() != null));
    secrets.forEach(secret -> missing.remove(secret.getMetadata().getName()));
    return uid.isEmpty() || missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Problem(
                Reason.CASecretMissing,
                "This ControlPlane was restored: its annotation %s names the UID %s. Secret %s is missing, and new keys would cut off data, nodes and tokens, so the operator creates nothing and checks again every 10 seconds. Restore the Secret from your backup, with its labels. To start with new keys, run 'kubectl -n %s annotate controlplane %s %s-'."
                    .formatted(
                        ANNOTATION,
                        uid.get(),
                        String.join(", ", missing),
                        controlPlane.getMetadata().getNamespace(),
                        controlPlane.getMetadata().getName(),
                        ANNOTATION)));
  }

  /** The UID that it had before; a copy under another name is no restored one. */
  private static Optional<String> restoredFrom(ControlPlane controlPlane) {
    String prefix = controlPlane.getMetadata().getName() + "/";
    return annotation(controlPlane)
        .filter(value -> value.startsWith(prefix))
        .map(value -> value.substring(prefix.length()))
        .filter(uid -> !uid.equals(controlPlane.getMetadata().getUid()));
  }

  private static Optional<String> annotation(ControlPlane controlPlane) {
    return Optional.ofNullable(controlPlane.getMetadata().getAnnotations())
        .map(all -> all.get(ANNOTATION));
  }

  private static String value(ControlPlane controlPlane) {
    return controlPlane.getMetadata().getName() + "/" + controlPlane.getMetadata().getUid();
  }

  /** Writes it on a control plane whose keys are there, unless it is there. */
  public static void write(ControlPlane controlPlane, KubernetesClient client) {
    if (annotation(controlPlane).filter(value(controlPlane)::equals).isPresent()) {
      return;
    }
    client.resource(controlPlane).patch(PatchContext.of(PatchType.JSON_MERGE), patch(controlPlane));
  }

  /** Of this very object: another one of its name may have taken its place. */
  static String patch(ControlPlane controlPlane) {
    return "{\"metadata\":{\"uid\":\"%s\",\"annotations\":{\"%s\":\"%s\"}}}"
        .formatted(controlPlane.getMetadata().getUid(), ANNOTATION, value(controlPlane));
  }
}
