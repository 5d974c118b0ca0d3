// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.StructType;
import java.util.Map;
import java.util.Optional;

/** The type of {@code device}: a struct, of which nothing but its fields can be asked for. */
final class DeviceTypes implements CelTypeProvider {
  private static final String NAME = "kubernetes.DRADevice";

  private final CelType device;

  DeviceTypes(CelType device) {
    this.device = device;
  }

  static CelType struct(Map<String, CelType> fields) {
    ImmutableMap<String, CelType> types = ImmutableMap.copyOf(fields);
    return StructType.create(
        NAME, ImmutableSet.copyOf(fields.keySet()), field -> Optional.ofNullable(types.get(field)));
  }

  @Override
  public ImmutableCollection<CelType> types() {
    return ImmutableList.of(device);
  }

  @Override
  public Optional<CelType> findType(String typeName) {
    return typeName.equals(NAME) ? Optional.of(device) : Optional.empty();
  }
}
