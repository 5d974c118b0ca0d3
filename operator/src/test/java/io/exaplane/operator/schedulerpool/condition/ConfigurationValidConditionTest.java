// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.PullSecretUse;
import io.exaplane.operator.schedulerpool.Pools;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.status.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Line 10: a pool that pulls with a Secret from before the label is told. */
class ConfigurationValidConditionTest {
  private static final Optional<Problem> NOTICE =
      Optional.of(PullSecretUse.notice("spec.images.pullSecret p: label the Secret"));

  @Test
  void aNoticeIsToldOfASpecThatIsCarriedOut() {
    Verdict told = ConfigurationValidCondition.of(observed(Optional.empty(), NOTICE));
    assertThat(told.status()).isEqualTo("True");
    assertThat(told.reason()).isEqualTo(Reason.PullSecretUnlabelled);
    assertThat(told.message()).startsWith("spec.images.pullSecret p: label the Secret. Running");
    assertThat(ConfigurationValidCondition.of(observed(Optional.empty(), Optional.empty())))
        .isEqualTo(Verdict.yes(Reason.AsExpected, "The spec is valid."));
  }

  @Test
  void aSpecThatIsNotComesFirst() {
    PoolTarget.Missing missing =
        new PoolTarget.Missing(Reason.ControlPlaneMissing, "Create it.", true);
    assertThat(ConfigurationValidCondition.of(observed(Optional.of(missing), NOTICE)))
        .isEqualTo(Verdict.no(Reason.ControlPlaneMissing, "Create it."));
  }

  private static PoolObserved observed(
      Optional<PoolTarget.Missing> missing, Optional<Problem> notice) {
    return new PoolObserved(
        Pools.pool(""),
        Optional.empty(),
        missing,
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        List.of(),
        List.of(),
        notice,
        List.of());
  }
}
