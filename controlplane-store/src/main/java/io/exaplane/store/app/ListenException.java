// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import java.io.IOException;
import java.net.SocketAddress;

/** An address can't be listened on. */
final class ListenException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient SocketAddress address;

  ListenException(SocketAddress address, Exception cause) {
    super(cause.getMessage(), cause);
    this.address = address;
  }

  SocketAddress address() {
    return address;
  }
}
