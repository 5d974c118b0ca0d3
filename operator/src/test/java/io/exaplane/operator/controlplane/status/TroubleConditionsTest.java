// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.hosted.Leaders;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.status.ConditionSet;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is told after all others: of components that nobody leads, and of objects that are refused.
 */
class TroubleConditionsTest {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  private static final Refusal REFUSED =
      new Refusal("Service demo", "apply", "ResourceQuota q", "no", "Raise it.", false);

  private final ControlPlane controlPlane =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}");

  @Test
  void componentsThatNobodyLeadsAreTold() {
    ConditionSet conditions = well();
    LeaderConditions.report(
        conditions,
        observed(),
        new Leaders(false, false, "ResourceQuota q refuses a Lease. Raise the quota."));
    assertThat(reasons(conditions))
        .containsEntry(ConditionType.ControllerManagerAvailable, "False NobodyInCharge")
        .containsEntry(ConditionType.SchedulerAvailable, "False NobodyInCharge")
        .containsEntry(ConditionType.Degraded, "True NobodyInCharge")
        .containsEntry(ConditionType.Available, "False NobodyInCharge");
    assertThat(conditions.current(ConditionType.Degraded).orElseThrow().message())
        .startsWith("No pod holds the Lease of kube-controller-manager and kube-scheduler.");
  }

  @Test
  void anObjectThatIsRefusedIsTold() {
    ConditionSet conditions = well();
    RefusedConditions.report(conditions, controlPlane, List.of(REFUSED));
    assertThat(reasons(conditions))
        .containsEntry(ConditionType.ReconciliationActive, "False WriteRefused")
        .containsEntry(ConditionType.Degraded, "True WriteRefused");
  }

  /** An object that is refused does not come, whatever its condition says of its creation. */
  @ParameterizedTest
  @CsvSource({
    "EndpointReady, Service demo-apiserver",
    "APIServerAvailable, Deployment demo-apiserver",
    "ControllerManagerAvailable, Deployment demo-controller-manager",
    "SchedulerAvailable, Deployment demo-scheduler",
  })
  void theConditionOfARefusedObjectNamesTheRefusal(ConditionType type, String object) {
    Refusal refused = new Refusal(object, "create", "ResourceQuota q", "no", "Raise it.", false);
    Refusal passing = new Refusal(object, "create", "The API server", "busy", "Wait.", true);
    Refusal other =
        new Refusal(object + "-x", "create", "ResourceQuota q", "no", "Raise it.", false);
    assertThat(afterCreating(type, refused).orElseThrow())
        .returns(Reason.WriteRefused.name(), Condition::reason)
        .returns(refused.text(), Condition::message);
    assertThat(afterCreating(type, passing, other).orElseThrow().reason())
        .as("what passes, and another object")
        .isEqualTo(Reason.Creating.name());
    ConditionSet well = well();
    RefusedConditions.report(well, controlPlane, List.of(refused));
    assertThat(reasons(well))
        .as("an object that is there, whose change is refused")
        .containsEntry(type, "True AsExpected");
  }

  private Optional<Condition> afterCreating(ConditionType type, Refusal... refusals) {
    ConditionSet conditions = well();
    conditions.set(type, false, Reason.Creating, "The operator creates it. No action is needed.");
    RefusedConditions.report(conditions, controlPlane, List.of(refusals));
    return conditions.current(type);
  }

  @Test
  void aDeletionThatIsRefusedIsTold() {
    assertThat(LifecycleStatus.removing(controlPlane, REFUSED, CLOCK).status().conditions())
        .anySatisfy(
            condition -> {
              assertThat(condition.type()).isEqualTo(ConditionType.Deleting.name());
              assertThat(condition.reason()).isEqualTo(Reason.WriteRefused.name());
              assertThat(condition.message()).contains("ResourceQuota q", "Raise it.");
            });
  }

  private static ConditionSet well() {
    ConditionSet conditions = new ConditionSet(null, 1L, CLOCK);
    for (ConditionType type : ConditionType.values()) {
      conditions.set(type, type != ConditionType.Degraded, Reason.AsExpected, "Check nothing.");
    }
    return conditions;
  }

  private static Map<ConditionType, String> reasons(ConditionSet conditions) {
    return conditions.build().stream()
        .collect(
            Collectors.toMap(
                (Condition each) -> ConditionType.valueOf(each.type()),
                each -> each.status() + " " + each.reason()));
  }

  private Observed observed() {
    return new Observed(
        Fixtures.sized(controlPlane),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Fixtures.nothingIssued(),
        Optional.empty(),
        List.of(),
        List.of(),
        new Scheduling(Optional.empty(), Optional.empty(), false));
  }
}
