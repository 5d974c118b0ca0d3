// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.StableHash;
import io.exaplane.scheduler.engine.model.Workload;
import io.exaplane.scheduler.engine.model.device.DeviceClass;
import io.exaplane.scheduler.engine.plugin.Profile;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the model's records are like, as bytes: a record is its components in order, and a component
 * that may be absent begins with whether it is there. Both sides have the same records if they have
 * the same {@link #FINGERPRINT}. Any thread.
 */
public final class ModelCodec {
  /** What the records of the model look like, and which engine judges by them. */
  public static final String FINGERPRINT = fingerprint();

  private ModelCodec() {}

  public static byte[] encode(Object record) {
    ByteSink sink = new ByteSink();
    try {
      Forms.form(record.getClass()).write(record, sink);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(record.getClass() + ": cannot be written", e);
    }
    return sink.toBytes();
  }

  /**
   * The record that these bytes are.
   *
   * @throws IllegalArgumentException if they are none of the type
   */
  public static <T> T decode(Class<T> type, byte[] bytes) {
    ByteSource source = new ByteSource(bytes);
    try {
      T value = type.cast(Forms.form(type).read(source));
      if (source.isAtEnd()) {
        return value;
      }
    } catch (Throwable e) {
      throw new IllegalArgumentException(type + ": these bytes are none", e);
    }
    throw new IllegalArgumentException(type + ": there are bytes left");
  }

  private static String fingerprint() {
    Set<Type> seen = new HashSet<>();
    StringBuilder all = new StringBuilder();
    for (Class<?> type :
        List.of(
            Node.class,
            PodSpec.class,
            PodSpec.Neighbours.class,
            Workload.class,
            DeviceClass.class)) {
      all.append(Forms.form(type).describe(seen)).append(';');
    }
    return Long.toHexString(StableHash.of(all.toString()))
        + "-"
        + Long.toHexString(Build.of(Profile.class));
  }
}
