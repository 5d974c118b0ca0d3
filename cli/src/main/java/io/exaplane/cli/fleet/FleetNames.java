// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * How the objects of a fleet are called and marked: a namespace for each control plane. Immutable.
 *
 * @param prefix of the namespaces
 * @param run of this fleet alone, the value of its label
 * @param first number of the first namespace
 * @param count of control planes
 */
public record FleetNames(String prefix, String run, int first, int count) {
  /** Every object that a fleet creates has this label; nothing without it is ever deleted. */
  public static final String LABEL = "exaplane.io/bench-fleet";

  /** The name of each ControlPlane and each quota. */
  static final String NAME = "bench";

  String namespace(int number) {
    return "%s-%04d".formatted(prefix, number);
  }

  /** All namespaces, in the order in which they are created. */
  public Set<String> namespaces() {
    TreeSet<String> all = new TreeSet<>();
    IntStream.range(first, first + count).mapToObj(this::namespace).forEach(all::add);
    return Collections.unmodifiableSet(all);
  }

  Map<String, String> labels() {
    return Map.of(LABEL, run);
  }

  /** Whether a namespace of this name may belong to a fleet of this prefix, of any run. */
  static boolean isOf(String prefix, String namespace) {
    return namespace.matches("\\Q" + prefix + "\\E-[0-9]{4,}");
  }
}
