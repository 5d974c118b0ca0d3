// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

/** A store did not do what it was asked to; the message says which one, why, and what to do. */
public final class StoreFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreFailure(String message) {
    super(message);
  }
}
