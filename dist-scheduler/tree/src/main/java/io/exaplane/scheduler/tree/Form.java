// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import java.lang.reflect.Type;
import java.util.Set;

/** How values of a type are written and read. Any thread. */
interface Form {
  void write(Object value, ByteSink to) throws Throwable;

  Object read(ByteSource from) throws Throwable;

  /** What a value looks like; equal if, and only if, the other side reads what this one writes. */
  String describe(Set<Type> seen);
}
