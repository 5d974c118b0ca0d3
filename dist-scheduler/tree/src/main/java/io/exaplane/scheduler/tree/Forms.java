// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import io.exaplane.scheduler.engine.model.Labels;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** How values of each type are written and read. Any thread. */
final class Forms {
  private static final Map<Type, Form> FORMS = new ConcurrentHashMap<>();

  private Forms() {}

  static Form form(Type type) {
    Form known = FORMS.get(type);
    if (known == null) {
      known = make(type);
      FORMS.put(type, known);
    }
    return known;
  }

  private static Form make(Type type) {
    if (type == int.class || type == Integer.class) {
      return new NumberForm("int") {
        @Override
        Object of(long number) {
          return (int) number;
        }
      };
    }
    if (type == long.class || type == Long.class) {
      return new NumberForm("long") {
        @Override
        Object of(long number) {
          return number;
        }
      };
    }
    if (type == boolean.class) {
      return BOOLEAN;
    }
    if (type == String.class) {
      return TEXT;
    }
    if (type == Labels.class) {
      return new LabelsForm();
    }
    if (type == int[].class) {
      return INTS;
    }
    if (type == long[].class) {
      return LONGS;
    }
    if (type == Packed.class) {
      return PACKED;
    }
    if (type instanceof Class<?> c && c.isSealed()) {
      return new SealedForm(c);
    }
    if (type instanceof Class<?> c && c.isEnum()) {
      return new EnumForm(c);
    }
    if (type instanceof Class<?> c && c.isRecord()) {
      return new RecordForm(c);
    }
    if (type instanceof ParameterizedType generic) {
      return generic((Class<?>) generic.getRawType(), generic.getActualTypeArguments());
    }
    throw new IllegalStateException(type + ": no form is known for this type");
  }

  private static Form generic(Class<?> raw, Type[] of) {
    if (raw == List.class) {
      return new CollectionForm("list", form(of[0])) {
        @Override
        Object finish(List<Object> values) {
          return List.copyOf(values);
        }
      };
    }
    if (raw == Set.class) {
      return new CollectionForm("set", form(of[0])) {
        @Override
        Object finish(List<Object> values) {
          return Set.copyOf(values);
        }
      };
    }
    if (raw == SortedSet.class) {
      return new CollectionForm("sortedset", form(of[0])) {
        @Override
        Object finish(List<Object> values) {
          return new TreeSet<>(values);
        }
      };
    }
    if (raw == Map.class || raw == SortedMap.class) {
      return new MapForm(raw == SortedMap.class, form(of[0]), form(of[1]));
    }
    throw new IllegalStateException(raw + ": no form is known for this type");
  }

  private static final Form BOOLEAN =
      new Form() {
        @Override
        public void write(Object value, ByteSink to) {
          to.flag((boolean) value);
        }

        @Override
        public Object read(ByteSource from) {
          return from.flag();
        }

        @Override
        public String describe(Set<Type> seen) {
          return "boolean";
        }
      };

  private static final Form INTS =
      new Form() {
        @Override
        public void write(Object value, ByteSink to) {
          int[] numbers = (int[]) value;
          to.number(numbers.length);
          for (int number : numbers) {
            to.number(number);
          }
        }

        @Override
        public Object read(ByteSource from) {
          int[] numbers = new int[from.count()];
          for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (int) from.number();
          }
          return numbers;
        }

        @Override
        public String describe(Set<Type> seen) {
          return "ints";
        }
      };

  /** Hashes: eight bytes each. */
  private static final Form LONGS =
      new Form() {
        @Override
        public void write(Object value, ByteSink to) {
          long[] numbers = (long[]) value;
          to.number(numbers.length);
          for (long number : numbers) {
            to.eight(number);
          }
        }

        @Override
        public Object read(ByteSource from) {
          long[] numbers = new long[from.count(Long.BYTES)];
          for (int i = 0; i < numbers.length; i++) {
            numbers[i] = from.eight();
          }
          return numbers;
        }

        @Override
        public String describe(Set<Type> seen) {
          return "eights";
        }
      };

  /** The last of a message: it goes to its end. */
  private static final Form PACKED =
      new Form() {
        @Override
        public void write(Object value, ByteSink to) {
          ((Packed) value).writeTo(to);
        }

        @Override
        public Object read(ByteSource from) {
          return from.rest();
        }

        @Override
        public String describe(Set<Type> seen) {
          return "rest";
        }
      };

  private static final Form TEXT =
      new Form() {
        @Override
        public void write(Object value, ByteSink to) {
          to.flag(value != null);
          if (value != null) {
            to.text((String) value);
          }
        }

        @Override
        public Object read(ByteSource from) {
          return from.flag() ? from.text() : null;
        }

        @Override
        public String describe(Set<Type> seen) {
          return "text";
        }
      };

  private abstract static class NumberForm implements Form {
    private final String name;

    NumberForm(String name) {
      this.name = name;
    }

    abstract Object of(long number);

    @Override
    public void write(Object value, ByteSink to) {
      to.number(((Number) value).longValue());
    }

    @Override
    public Object read(ByteSource from) {
      return of(from.number());
    }

    @Override
    public String describe(Set<Type> seen) {
      return name;
    }
  }

  private record EnumForm(Class<?> type) implements Form {
    @Override
    public void write(Object value, ByteSink to) {
      to.number(value == null ? -1 : ((Enum<?>) value).ordinal());
    }

    @Override
    public Object read(ByteSource from) {
      long ordinal = from.number();
      return ordinal < 0 ? null : type.getEnumConstants()[(int) ordinal];
    }

    @Override
    public String describe(Set<Type> seen) {
      return Arrays.toString(type.getEnumConstants());
    }
  }

  private static final class LabelsForm implements Form {
    @Override
    public void write(Object value, ByteSink to) {
      to.flag(value != null);
      if (value != null) {
        Map<String, String> labels = ((Labels) value).toMap();
        to.number(labels.size());
        labels.forEach(
            (name, text) -> {
              to.text(name);
              to.text(text);
            });
      }
    }

    @Override
    public Object read(ByteSource from) {
      if (!from.flag()) {
        return null;
      }
      Map<String, String> labels = new HashMap<>();
      for (int left = from.count(); left > 0; left--) {
        labels.put(from.text(), from.text());
      }
      return Labels.of(labels);
    }

    @Override
    public String describe(Set<Type> seen) {
      return "labels";
    }
  }

  private abstract static class CollectionForm implements Form {
    private final String name;
    private final Form of;

    CollectionForm(String name, Form of) {
      this.name = name;
      this.of = of;
    }

    abstract Object finish(List<Object> values);

    @Override
    public void write(Object value, ByteSink to) throws Throwable {
      Collection<?> values = (Collection<?>) value;
      to.flag(values != null);
      if (values != null) {
        to.number(values.size());
        for (Object each : values) {
          of.write(each, to);
        }
      }
    }

    @Override
    public Object read(ByteSource from) throws Throwable {
      if (!from.flag()) {
        return null;
      }
      List<Object> values = new ArrayList<>();
      for (int left = from.count(); left > 0; left--) {
        values.add(of.read(from));
      }
      return finish(values);
    }

    @Override
    public String describe(Set<Type> seen) {
      return name + "<" + of.describe(seen) + ">";
    }
  }

  private record MapForm(boolean sorted, Form key, Form value) implements Form {
    @Override
    public void write(Object map, ByteSink to) throws Throwable {
      Map<?, ?> entries = (Map<?, ?>) map;
      to.flag(entries != null);
      if (entries != null) {
        to.number(entries.size());
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
          key.write(entry.getKey(), to);
          value.write(entry.getValue(), to);
        }
      }
    }

    @Override
    public Object read(ByteSource from) throws Throwable {
      if (!from.flag()) {
        return null;
      }
      Map<Object, Object> map = sorted ? new TreeMap<>() : new HashMap<>();
      for (int left = from.count(); left > 0; left--) {
        Object name = key.read(from);
        map.put(name, value.read(from));
      }
      return map;
    }

    @Override
    public String describe(Set<Type> seen) {
      return "map<" + key.describe(seen) + "," + value.describe(seen) + ">";
    }
  }
}
