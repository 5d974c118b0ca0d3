// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The tuning model, asked once about each shape, however many ask. One is made for each pass of the
 * reconciler, and goes with the pass. Thread-safe: a workflow makes objects on several threads.
 */
public final class Model {
  /** What every version's components know; read once. */
  public static final VersionMatrix MATRIX = VersionMatrix.load();

  private final Map<Shape, Tuning> answers = new ConcurrentHashMap<>();
  private final Function<Shape, Tuning> source;

  public Model() {
    this(shape -> Tuning.of(shape, MATRIX));
  }

  /** With another source of answers. */
  Model(Function<Shape, Tuning> source) {
    this.source = source;
  }

  /**
   * What the model says of a cluster.
   *
   * @throws io.exaplane.tuning.model.InvalidInputException for addresses that the version refuses
   */
  Tuning ask(Shape shape) {
    return answers.computeIfAbsent(shape, source);
  }
}
