// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.protobuf;

/**
 * What one field of a message is.
 *
 * @param slot where its value goes in a {@link MessageMap}; the first one of an inlined message
 * @param message of values that are messages; else null
 * @param keepsEmpty whether a value that is zero or empty is one, as JSON has it
 */
record FieldType(int slot, Shape shape, Value value, MessageType message, boolean keepsEmpty) {
  enum Shape {
    SINGLE,
    LIST,
    MAP,
    /** A message whose fields are, in JSON, those of the message around it. */
    INLINE
  }

  enum Value {
    STRING,
    BOOL,
    INTEGER,
    QUANTITY,
    TIME,
    MESSAGE
  }
}
