// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.AggregatedOperatorException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.dependent.managed.ManagedWorkflowAndDependentResourceContext;
import io.javaoperatorsdk.operator.processing.dependent.workflow.WorkflowReconcileResult;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Line 31: whatever the SDK does with the failures of a workflow, each is a refusal of its own. */
class OutcomesTest {
  private static final Map<String, Exception> FAILED =
      Map.of("service", refused("services \"a\""), "budgets", refused("budgets \"b\""));

  @Test
  void aWorkflowThatThrowsAllTogetherIsTakenApart() {
    Outcomes outcomes = new Outcomes();
    outcomes.run(
        context(
            () -> {
              throw new AggregatedOperatorException("Exception(s)", FAILED);
            }));
    assertThat(outcomes.refusals())
        .hasSize(2)
        .allSatisfy(refusal -> assertThat(refusal.who()).isEqualTo("ResourceQuota q"));
    assertThat(outcomes.refusals().stream().map(Refusal::text).collect(Collectors.joining()))
        .doesNotContain("Exception", "Report this");
  }

  /** What was known before counts for the whole pass, so the pass says so, too. */
  @Test
  void aReadThatFailedIsToldThoughTheWorkflowBeginsAnew() {
    Outcomes outcomes = new Outcomes();
    assertThat(outcomes.read(() -> "there")).contains("there");
    assertThat(
            outcomes.<String>read(
                () -> {
                  throw refused("nodes");
                }))
        .isEmpty();
    outcomes.refused(refused("services \"a\""));
    assertThat(outcomes.refusals()).hasSize(2);
    outcomes.begin();
    assertThat(outcomes.refusals()).hasSize(1);
    assertThat(outcomes.nextAttempt()).isPresent();
  }

  @Test
  void aFailureOfAllIsToldAsTheFirst() {
    Refusal told = Refusals.of(new AggregatedOperatorException("Exception(s)", FAILED));
    assertThat(told.who()).isEqualTo("ResourceQuota q");
    assertThat(told.text()).doesNotContain("Exception", "Report this");
  }

  private static KubernetesClientException refused(String what) {
    return new KubernetesClientException(
        new StatusBuilder()
            .withCode(403)
            .withReason("Forbidden")
            .withMessage(what + " is forbidden: exceeded quota: q, requested: pods=1")
            .build());
  }

  private static Context<?> context(Supplier<WorkflowReconcileResult> workflow) {
    ManagedWorkflowAndDependentResourceContext managed =
        fake(
            ManagedWorkflowAndDependentResourceContext.class,
            "reconcileManagedWorkflow",
            workflow::get);
    return fake(Context.class, "managedWorkflowAndDependentResourceContext", () -> managed);
  }

  private static <T> T fake(Class<T> type, String only, Supplier<Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> {
              assertThat(method.getName()).isEqualTo(only);
              return answer.get();
            }));
  }
}
