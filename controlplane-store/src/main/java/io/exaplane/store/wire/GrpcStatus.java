// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

/** Numbers of gRPC's status codes that the wire itself answers with. */
public final class GrpcStatus {
  public static final int OK = 0;
  public static final int UNKNOWN = 2;
  public static final int RESOURCE_EXHAUSTED = 8;
  public static final int UNIMPLEMENTED = 12;
  public static final int INTERNAL = 13;
  public static final int UNAVAILABLE = 14;

  private GrpcStatus() {}
}
