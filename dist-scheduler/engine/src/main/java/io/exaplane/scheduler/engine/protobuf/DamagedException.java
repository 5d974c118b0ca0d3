// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.protobuf;

import java.io.IOException;

/** Bytes that no encoder of Kubernetes objects wrote. */
public final class DamagedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With the place in the object at which it was seen. */
  DamagedException(String what, long at) {
    super(what + ", at byte " + at);
  }
}
