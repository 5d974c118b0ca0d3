// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.load;

/**
 * Estimates what a value takes decoded in a kube-apiserver, where its bytes alone do not tell it:
 * custom resources in JSON, and objects in protobuf that are cut up into tiny fields. For one
 * thread.
 */
public final class ValueLoad {
  /** No value takes more for each of its bytes. */
  public static final int MOST_PER_BYTE = JsonLoad.MOST_PER_BYTE;

  private final JsonLoad json = new JsonLoad();

  /** Whether a value has to be walked over. */
  public static boolean isWalked(byte[] value, int offset, int length) {
    return JsonLoad.isJson(value, offset, length) || ProtobufLoad.isLarge(value, offset, length);
  }

  /** Bytes that a value takes decoded; 0 if that follows from its bytes alone. */
  public int of(byte[] value, int offset, int length) {
    if (JsonLoad.isJson(value, offset, length)) {
      return json.of(value, offset, length);
    }
    return ProtobufLoad.isLarge(value, offset, length) ? ProtobufLoad.of(value, offset, length) : 0;
  }
}
