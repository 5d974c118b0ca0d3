// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.status.News;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Event of a task that is deleted while it runs says what becomes of its work. */
class TaskRemovalTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          restart: {component: Store, store: events}             | ReplacePods | A restart of the store that has begun ends by itself.
          restart: {component: KubeAPIServer}                    | ReplacePods | pods that were replaced for it get their former template.
          rotate: {credential: Leaves}                           | Issue       | Certificates that it replaced remain replaced.
          rotate: {credential: CA, complete: Automatic}          | Prepare     | reaches the phase Prepared and stays there, with both keys trusted.
          rotate: {credential: CA, complete: Automatic}          | Complete    | set spec.pki.rotation.ca of the ControlPlane to Complete if its phase is Prepared.
          rotate: {credential: ServiceAccountKey}                | TrustBoth   | set spec.pki.rotation.serviceAccountKey of the ControlPlane to Complete.
          """)
  void theEventOfADeletedTask(String spec, String step, String words) {
    News told = TaskRemoval.cancelled(Tasks.running(spec, step));
    assertThat(told.reason()).isEqualTo(Reason.TaskCancelled);
    assertThat(told.warns()).isFalse();
    assertThat(told.message()).startsWith("The task is deleted").contains(words);
  }
}
