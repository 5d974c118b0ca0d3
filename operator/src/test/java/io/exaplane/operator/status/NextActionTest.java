// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.Reason;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NextActionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Available   | False   | The API does not run yet.                           | false
          Available   | False   | The API does not run yet. No action is needed.      | true
          Available   | True    | The API answers.                                    | true
          Available   | Unknown | Nobody knows.                                       | false
          Degraded    | True    | Pods are not ready.                                 | false
          Degraded    | True    | Pods are not ready. Check the pods.                 | true
          Degraded    | False   | Everything works.                                   | true
          Progressing | True    | Replacing pods.                                     | false
          Progressing | True    | Replacing pods; see 'kubectl describe pods'.        | true
          Deleting    | True    | Waiting for the deletion of the stores.             | false
          StoresReady | False   | Storage is offset and the store is besetting users. | false
          StoresReady | False   | who set the gate has to remove the gate             | false
          StoresReady | False   | Pods use an image that no node can take.            | false
          StoresReady | False   | The pod is gone, as 'kubectl describe pods' shows.  | false
          StoresReady | False   | If this persists for 5 minutes, pods use old keys.  | false
          StoresReady | False   | Pod a waits; delete unneeded objects.               | true
          StoresReady | False   | A gate holds the pod. Check who set the gate        | true
          StoresReady | False   | If this persists for 5 minutes, check the pods.     | true
          StoresReady | False   | To replace pods of v1.2, set spec.rollout.bundle.   | true
          StoresReady | False   | A volume is full. Then run 'kubectl get pvc'.       | true
          StoresReady | False   | spec.a: must be 1. Or, first correct the field.     | true
          """)
  void aConditionThatIsNotGoodNeedsOne(
      String type, String status, String message, boolean isGiven) {
    assertThat(NextAction.isGiven(type, status, message)).isEqualTo(isGiven);
  }

  /** Every test that sets conditions holds the product to it. */
  @Test
  void aConditionWithoutOneFailsTests() {
    ConditionSet conditions = new ConditionSet(null, 1L, Clock.systemUTC());
    assertThatThrownBy(
            () ->
                conditions.set(
                    ConditionType.Available, false, Reason.Unavailable, "The API is down."))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Available is not good and names no next action: The API is down.");
  }
}
