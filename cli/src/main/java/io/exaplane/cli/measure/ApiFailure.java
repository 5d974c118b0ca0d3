// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import io.fabric8.kubernetes.client.KubernetesClientException;

/** What a failed request to the management cluster says to the user. Pure. */
public final class ApiFailure {
  private ApiFailure() {}

  /**
   * Tells a server that refuses from one that does not answer.
   *
   * @param rights what the account must be allowed to do, as "the right to list nodes"
   */
  public static String words(KubernetesClientException failure, String rights) {
    return failure.getCode() <= 0
        ? "the management cluster does not answer (%s); check --kubeconfig, and repeat the command when the API serves"
            .formatted(reason(failure))
        : "the management cluster refuses (%s); check --kubeconfig, and %s"
            .formatted(failure.getMessage(), rights);
  }

  /**
   * What happened at the bottom, or its kind: the layers above mostly say that something happened.
   */
  static String reason(Throwable failure) {
    Throwable last = failure;
    while (last.getCause() != null && last.getCause() != last) {
      last = last.getCause();
    }
    return last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
  }
}
