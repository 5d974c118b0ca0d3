// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

import java.util.List;

/**
 * Why a request did not do what it should. Immutable.
 *
 * @param code HTTP status; 0 when there was no answer
 * @param reason {@code Status.reason}, such as {@code Conflict}, {@code Invalid}, {@code Expired};
 *     empty when absent
 * @param message the server's words, or those of the connection
 * @param retryAfterMs the server's {@code Retry-After}, in milliseconds; 0 when absent
 * @param unknownOutcome whether the server may have done the request nevertheless: a time-out or a
 *     broken connection after it was sent
 * @param causes {@code Status.details.causes}
 */
public record Failure(
    int code,
    String reason,
    String message,
    long retryAfterMs,
    boolean unknownOutcome,
    List<Cause> causes) {
  /** A reason of our own: what stands in the place of an inventory is none of ours. */
  public static final String TAKEN = "Taken";

  /** A reason of our own: the answer is longer than a port reads; ask for less. */
  public static final String TOO_LARGE = "TooLarge";

  public Failure {
    causes = List.copyOf(causes);
  }

  /**
   * One cause.
   *
   * @param reason such as {@code FieldManagerConflict} or {@code NamespaceTerminating}
   * @param field path, such as {@code .spec.replicas}; empty when absent
   * @param message the server's words; of a conflict: {@code conflict with "kubectl" using apps/v1}
   */
  public record Cause(String reason, String field, String message) {}

  /**
   * Whether a cause has this reason.
   *
   * @param cause such as {@code NamespaceTerminating}
   * @return true if any has it
   */
  public boolean hasCause(String cause) {
    return causes.stream().anyMatch(one -> one.reason().equals(cause));
  }
}
