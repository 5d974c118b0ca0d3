// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.gate.TlsSecretPresent;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.Optional;

/** What is told of a Secret with which a store does not start. */
final class TlsSecretText {
  private TlsSecretText() {}

  /** Nothing when the store has its Secret. */
  static Optional<Verdict> of(StoreShard shard, Context<StoreShard> context) {
    String secret = shard.getSpec().tls().secretRef().name();
    String name = shard.getMetadata().getName();
    Optional<String> objection = TlsSecretPresent.objection(shard, context);
    if (objection.isPresent()) {
      return Optional.of(
          Verdict.no(
              Reason.TLSSecretOfAnother,
              "spec.tls.secretRef: Secret %1$s %2$s; the store does not start with it. Name another, or run 'kubectl label secret %1$s %3$s=%4$s' if it is for this store."
                  .formatted(secret, objection.get(), StoreNames.SHARD_LABEL, name)));
    }
    return TlsSecretPresent.isPresent(shard, context)
        ? Optional.empty()
        : Optional.of(
            Verdict.no(
                Reason.TLSSecretMissing,
                "Secret %s with tls.crt, tls.key, ca.crt and the labels %s and %s=%s does not exist yet. %s The store starts when the Secret exists."
                    .formatted(
                        secret,
                        Names.MANAGED_BY_SELECTOR,
                        StoreNames.SHARD_LABEL,
                        name,
                        StoreNames.controlPlaneUid(shard).isPresent()
                            ? "The operator creates that Secret."
                            : "Create that Secret.")));
  }
}
