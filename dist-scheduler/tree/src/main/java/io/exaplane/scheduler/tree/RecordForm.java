// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import io.exaplane.scheduler.engine.model.PodSpec;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** How values of a record are written and read: whether there is one, then its components. */
final class RecordForm implements Form {
  /** Values that the model compares by identity. */
  private static final List<Object> SINGLETONS = List.of(PodSpec.Neighbours.NONE);

  private final Class<?> type;
  private final String[] names;
  private final MethodHandle[] accessors;
  private final Form[] forms;
  private final MethodHandle constructor;
  private final Object nothing;

  RecordForm(Class<?> type) {
    this.type = type;
    RecordComponent[] components = type.getRecordComponents();
    names = Arrays.stream(components).map(RecordComponent::getName).toArray(String[]::new);
    forms = Arrays.stream(components).map(c -> Forms.form(c.getGenericType())).toArray(Form[]::new);
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    accessors = new MethodHandle[components.length];
    try {
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      for (int i = 0; i < components.length; i++) {
        accessors[i] =
            lookup
                .unreflect(components[i].getAccessor())
                .asType(MethodType.methodType(Object.class, Object.class));
      }
      constructor =
          lookup
              .findConstructor(type, MethodType.methodType(void.class, types))
              .asSpreader(Object[].class, types.length)
              .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + ": must be a public record", e);
    }
    nothing = SINGLETONS.stream().filter(type::isInstance).findFirst().orElse(null);
  }

  @Override
  public void write(Object value, ByteSink to) throws Throwable {
    to.flag(value != null);
    if (value != null) {
      for (int i = 0; i < forms.length; i++) {
        forms[i].write((Object) accessors[i].invokeExact(value), to);
      }
    }
  }

  @Override
  public Object read(ByteSource from) throws Throwable {
    if (!from.flag()) {
      return null;
    }
    Object[] values = new Object[forms.length];
    for (int i = 0; i < forms.length; i++) {
      values[i] = forms[i].read(from);
    }
    Object made = (Object) constructor.invokeExact(values);
    return made.equals(nothing) ? nothing : made;
  }

  @Override
  public String describe(Set<Type> seen) {
    if (!seen.add(type)) {
      return type.getSimpleName();
    }
    StringBuilder text = new StringBuilder(type.getSimpleName()).append('(');
    for (int i = 0; i < forms.length; i++) {
      text.append(names[i]).append(':').append(forms[i].describe(seen)).append(',');
    }
    return text.append(')').toString();
  }
}
