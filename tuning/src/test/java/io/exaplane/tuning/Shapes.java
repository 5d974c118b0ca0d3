// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning;

import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.EnumMap;
import java.util.Map;

/** Clusters for tests. */
public final class Shapes {
  public static final VersionMatrix MATRIX = VersionMatrix.load();

  private Shapes() {}

  /** Of inputs and their values in turn. */
  public static Shape of(Object... inputsAndValues) {
    Map<Input, String> inputs = new EnumMap<>(Input.class);
    for (int i = 0; i < inputsAndValues.length; i += 2) {
      inputs.put((Input) inputsAndValues[i], inputsAndValues[i + 1].toString());
    }
    return Shape.of(inputs, MATRIX);
  }

  public static Shape of(String version, long nodes) {
    return of(Input.KUBERNETES_VERSION, version, Input.NODES, nodes);
  }

  public static Tuning tuning(Object... inputsAndValues) {
    return Tuning.of(of(inputsAndValues), MATRIX);
  }
}
