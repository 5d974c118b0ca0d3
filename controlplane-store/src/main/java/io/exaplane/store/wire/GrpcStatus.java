// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import java.util.List;

/** Numbers of gRPC's status codes that the wire itself answers with, and names of all. */
public final class GrpcStatus {
  static final int OK = 0;
  static final int CANCELLED = 1;
  static final int INVALID_ARGUMENT = 3;
  static final int DEADLINE_EXCEEDED = 4;
  static final int RESOURCE_EXHAUSTED = 8;
  static final int UNIMPLEMENTED = 12;
  static final int INTERNAL = 13;

  private static final List<String> NAMES =
      List.of(
          "OK",
          "Canceled",
          "Unknown",
          "InvalidArgument",
          "DeadlineExceeded",
          "NotFound",
          "AlreadyExists",
          "PermissionDenied",
          "ResourceExhausted",
          "FailedPrecondition",
          "Aborted",
          "OutOfRange",
          "Unimplemented",
          "Internal",
          "Unavailable",
          "DataLoss",
          "Unauthenticated");

  private GrpcStatus() {}

  /** The name of a code, as metrics of gRPC have it. */
  public static String name(int code) {
    return NAMES.get(code);
  }
}
