// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ApiFailureTest {
  private static final String RIGHTS = "the right to list nodes";

  @Test
  void whoRefusesIsTakenAtItsWord() {
    var refused =
        new KubernetesClientException("nodes is forbidden", 403, new StatusBuilder().build());
    assertThat(ApiFailure.words(refused, RIGHTS))
        .isEqualTo(
            "the management cluster refuses (nodes is forbidden); check --kubeconfig, and the right to list nodes");
  }

  @Test
  void whoDoesNotAnswerRefusesNothing() {
    var silent =
        new KubernetesClientException(
            "An error has occurred.",
            new IOException("failed", new SocketTimeoutException("connect timed out")));
    assertThat(ApiFailure.words(silent, RIGHTS))
        .startsWith("the management cluster does not answer (connect timed out);")
        .doesNotContain(RIGHTS);
  }

  @Test
  void aCauseWithoutWordsIsToldByItsKind() {
    var silent = new KubernetesClientException("An error has occurred.", new TimeoutException());
    assertThat(ApiFailure.words(silent, RIGHTS)).contains("(TimeoutException)");
  }
}
