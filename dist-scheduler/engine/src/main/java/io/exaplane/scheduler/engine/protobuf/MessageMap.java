// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.protobuf;

import java.util.AbstractMap;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The fields of a message that have a value. */
final class MessageMap extends AbstractMap<String, Object> {
  private final MessageType type;
  private final Object[] values;

  MessageMap(MessageType type, Object[] values) {
    this.type = type;
    this.values = values;
  }

  @Override
  public Object get(Object name) {
    int slot = type.slot((String) name);
    return slot < 0 ? null : values[slot];
  }

  /** Sets a field of the message's type. */
  @Override
  public Object put(String name, Object value) {
    int slot = type.slot(name);
    Object before = values[slot];
    values[slot] = value;
    return before;
  }

  @Override
  public boolean containsKey(Object name) {
    return get(name) != null;
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    Map<String, Object> entries = new LinkedHashMap<>();
    for (int slot = 0; slot < values.length; slot++) {
      if (values[slot] != null) {
        entries.put(type.name(slot), values[slot]);
      }
    }
    return entries.entrySet();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MessageMap message && message.type == type
        ? Arrays.equals(values, message.values)
        : super.equals(other);
  }

  /** As {@link Map#hashCode} has it. */
  @Override
  public int hashCode() {
    int hash = 0;
    for (int slot = 0; slot < values.length; slot++) {
      if (values[slot] != null) {
        hash += type.name(slot).hashCode() ^ Objects.hashCode(values[slot]);
      }
    }
    return hash;
  }
}
