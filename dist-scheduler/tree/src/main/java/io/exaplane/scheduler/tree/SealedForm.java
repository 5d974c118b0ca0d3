// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** One of several kinds of records: its number among them, then the record. Any thread. */
final class SealedForm implements Form {
  private final Class<?>[] kinds;
  private final Form[] forms;
  private final Map<Class<?>, Integer> numbers = new HashMap<>();

  /** Of a sealed interface whose kinds are records. */
  SealedForm(Class<?> type) {
    kinds =
        Arrays.stream(type.getPermittedSubclasses())
            .filter(Class::isRecord)
            .toArray(Class<?>[]::new);
    forms = Arrays.stream(kinds).map(Forms::form).toArray(Form[]::new);
    for (int i = 0; i < kinds.length; i++) {
      numbers.put(kinds[i], i);
    }
  }

  /** The number of a kind. */
  int kind(Class<?> type) {
    return numbers.get(type);
  }

  @Override
  public void write(Object value, ByteSink to) throws Throwable {
    int kind = kind(value.getClass());
    to.number(kind);
    forms[kind].write(value, to);
  }

  @Override
  public Object read(ByteSource from) throws Throwable {
    return read((int) from.number(), from);
  }

  /** The rest of one of which the kind is read already. */
  Object read(int kind, ByteSource from) throws Throwable {
    if (kind < 0 || kind >= forms.length) {
      throw new IllegalArgumentException(
          kind
              + ": this version does not know the kind; run all processes of the scheduler in the same version");
    }
    return forms[kind].read(from);
  }

  @Override
  public String describe(Set<Type> seen) {
    StringBuilder text = new StringBuilder("one of");
    for (Form form : forms) {
      text.append(' ').append(form.describe(seen));
    }
    return text.toString();
  }
}
