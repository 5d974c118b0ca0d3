// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.wire.GrpcStatus;
import io.exaplane.store.wire.GrpcStream;

/** Tells clients why a call failed. */
final class Failures {
  private Failures() {}

  static void answer(GrpcStream stream, RuntimeException failure) {
    if (failure instanceof StoreException known) {
      stream.fail(known);
    } else {
      stream.fail(
          GrpcStatus.INTERNAL, "grpc: error unmarshalling request: " + failure.getMessage());
    }
  }
}
