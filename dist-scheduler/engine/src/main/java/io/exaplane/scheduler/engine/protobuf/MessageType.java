// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.protobuf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The fields of a kind of message, by their numbers, and the slots of their values by name. */
final class MessageType {
  static final String API_VERSION = "apiVersion";
  static final String KIND = "kind";

  private final List<FieldType> byNumber = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> slots = new HashMap<>();

  /** The field with a number, or null if it is not read. */
  FieldType field(int number) {
    return number < byNumber.size() ? byNumber.get(number) : null;
  }

  int slotCount() {
    return names.size();
  }

  String name(int slot) {
    return names.get(slot);
  }

  /** Where the value of a field is, or -1. */
  int slot(String name) {
    return slots.getOrDefault(name, -1);
  }

  /** Makes room for the value of a field that has no number. */
  int addSlot(String name) {
    slots.put(name, names.size());
    names.add(name);
    return names.size() - 1;
  }

  void add(int number, FieldType field) {
    while (byNumber.size() <= number) {
      byNumber.add(null);
    }
    byNumber.set(number, field);
  }
}
