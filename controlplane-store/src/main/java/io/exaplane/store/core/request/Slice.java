// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.request;

import java.util.Arrays;

/** Bytes within a message. Reusable. */
public final class Slice {
  private static final byte[] NOTHING = {};

  private byte[] array = NOTHING;
  private int offset;
  private int length;

  public void set(byte[] array, int offset, int length) {
    this.array = array;
    this.offset = offset;
    this.length = length;
  }

  public void set(byte[] array) {
    set(array, 0, array.length);
  }

  public void clear() {
    set(NOTHING, 0, 0);
  }

  public byte[] array() {
    return array;
  }

  public int offset() {
    return offset;
  }

  public int length() {
    return length;
  }

  public boolean isEmpty() {
    return length == 0;
  }

  public byte[] copy() {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  /** Whether the bytes are these. */
  public boolean is(byte[] other) {
    return Arrays.equals(array, offset, offset + length, other, 0, other.length);
  }
}
