// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

/** Numbers of gRPC's status codes that the wire itself answers with. */
final class GrpcStatus {
  static final int OK = 0;
  static final int CANCELLED = 1;
  static final int INVALID_ARGUMENT = 3;
  static final int DEADLINE_EXCEEDED = 4;
  static final int RESOURCE_EXHAUSTED = 8;
  static final int UNIMPLEMENTED = 12;
  static final int INTERNAL = 13;

  private GrpcStatus() {}
}
