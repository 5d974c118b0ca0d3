// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.addon.AddonReport;
import io.exaplane.operator.status.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddonsReadyConditionTest {
  private static AddonReport report(String name, Reason reason, String message) {
    return new AddonReport(
        new AddonStatus(
            name,
            1L,
            reason == Reason.AsExpected,
            reason.name(),
            message,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null),
        reason,
        false);
  }

  private static Verdict of(AddonReport... reports) {
    return AddonsReadyCondition.of(List.of(reports)).orElseThrow();
  }

  @Test
  void withoutSourcesNothingIsSaid() {
    assertThat(AddonsReadyCondition.of(List.of())).isEmpty();
    AddonReport gone = report("a", Reason.AsExpected, null);
    assertThat(
            AddonsReadyCondition.of(List.of(new AddonReport(gone.status(), gone.reason(), true))))
        .isEmpty();
  }

  @Test
  void theWorstSourceDecides() {
    AddonReport good = report("good", Reason.AsExpected, null);
    AddonReport applying = report("applying", Reason.AddonsApplying, "Begun.");
    AddonReport failed = report("failed", Reason.AddonFailed, "1 of 2 failed. Correct them.");
    AddonReport unreadable = report("unreadable", Reason.AddonSourceUnreadable, "No file.");
    AddonReport cycle = report("cycle", Reason.AddonCycle, "A cycle.");
    assertThat(of(good).met()).isTrue();
    assertThat(of(good, applying).reason()).isEqualTo(Reason.AddonsApplying);
    assertThat(of(good, applying, failed).reason()).isEqualTo(Reason.AddonFailed);
    AddonReport tooLarge = report("large", Reason.DefinitionsDoNotFit, "300 do not fit.");
    assertThat(of(applying, tooLarge).reason()).isEqualTo(Reason.DefinitionsDoNotFit);
    assertThat(of(failed, tooLarge).message()).endsWith("Also not ready: large.");
    assertThat(of(failed, unreadable).reason()).isEqualTo(Reason.AddonSourceUnreadable);
    Verdict worst = of(applying, failed, unreadable, cycle);
    assertThat(worst.reason()).isEqualTo(Reason.AddonCycle);
    assertThat(worst.message())
        .isEqualTo("Add-on cycle: A cycle. Also not ready: applying, failed, unreadable.");
  }

  @Test
  void aPausedSourceIsNamed() {
    Verdict verdict =
        of(report("a", Reason.Paused, "Paused."), report("b", Reason.AsExpected, null));
    assertThat(verdict.met()).isTrue();
    assertThat(verdict.message()).contains("paused ones: a");
  }
}
