// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.status.Verdict;

/** What Ready says of a Secret with which a store does not start. Pure. */
public final class TlsSecretTrouble {
  private TlsSecretTrouble() {}

  /**
   * Of a Secret that is not for this store.
   *
   * @param objection what follows its name
   */
  public static Verdict ofAnother(StoreShard shard, String objection) {
    return Verdict.no(
        Reason.TLSSecretOfAnother,
        "spec.tls.secretRef: Secret %1$s %2$s; the store does not start with it. Name another, or run 'kubectl label secret %1$s %3$s=%4$s' if it is for this store."
            .formatted(
                secret(shard), objection, StoreNames.SHARD_LABEL, shard.getMetadata().getName()));
  }

  /** Of a Secret that does not exist. */
  public static Verdict missing(StoreShard shard) {
    return Verdict.no(
        Reason.TLSSecretMissing,
        "Secret %s with tls.crt, tls.key, ca.crt and the labels %s and %s=%s does not exist yet. %s The store starts when the Secret exists."
            .formatted(
                secret(shard),
                Names.MANAGED_BY_SELECTOR,
                StoreNames.SHARD_LABEL,
                shard.getMetadata().getName(),
                StoreNames.controlPlaneUid(shard).isPresent()
                    ? "The operator creates that Secret."
                    : "Create that Secret."));
  }

  private static String secret(StoreShard shard) {
    return shard.getSpec().tls().secretRef().name();
  }
}
