// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.status.Verdict;
import java.time.Instant;
import java.util.Optional;

/** Whether hosts can join: the Secret is there, with a token that works. Pure. */
public final class JoinMaterialReadyCondition {
  private JoinMaterialReadyCondition() {}

  /**
   * From what came of the pass.
   *
   * @param isKnown whether the condition says something already
   * @return empty if it is to stay: an operator that has just begun is no news
   */
  public static Optional<Verdict> of(Material material, Instant now, boolean isKnown) {
    boolean works = material.secret().filter(secret -> secret.works(now)).isPresent();
    return isKnown && works && !material.isAsked()
        ? Optional.empty()
        : Optional.of(of(material, now));
  }

  private static Verdict of(Material material, Instant now) {
    if (material.missing().isEmpty()) {
      Material.Written secret = material.secret().orElseThrow();
      return Verdict.yes(
          Reason.AsExpected,
          "Secret %s has the join script. The token in it works until %s, and a new one replaces it before."
              .formatted(secret.name(), secret.expires()));
    }
    Problem why = material.missing().get();
    Optional<Material.Written> works = material.secret().filter(secret -> secret.works(now));
    String message =
        works
            .map(
                secret ->
                    "The token in Secret %s works until %s, but the operator does not replace it. %s"
                        .formatted(secret.name(), secret.expires(), why.message()))
            .orElse(why.message());
    return new Verdict(status(why.reason(), works.isPresent()), why.reason(), message);
  }

  /** An API that is silent may take the token or not; a pause changes nothing of it. */
  private static String status(Reason reason, boolean works) {
    if (!works) {
      return Condition.FALSE;
    }
    return switch (reason) {
      case Paused -> Condition.TRUE;
      case WaitingForAPIServer -> Condition.UNKNOWN;
      default -> Condition.FALSE;
    };
  }
}
