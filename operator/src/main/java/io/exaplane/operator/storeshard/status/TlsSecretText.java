// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.condition.TlsSecretTrouble;
import io.exaplane.operator.storeshard.gate.TlsSecretPresent;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.Optional;

/** Looks for the Secret with which a store starts. */
final class TlsSecretText {
  private TlsSecretText() {}

  /** Nothing when the store has its Secret. */
  static Optional<Verdict> of(StoreShard shard, Context<StoreShard> context) {
    Optional<String> objection = TlsSecretPresent.objection(shard, context);
    if (objection.isPresent()) {
      return Optional.of(TlsSecretTrouble.ofAnother(shard, objection.get()));
    }
    return TlsSecretPresent.isPresent(shard, context)
        ? Optional.empty()
        : Optional.of(TlsSecretTrouble.missing(shard));
  }
}
