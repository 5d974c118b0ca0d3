// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.util.Comparator;

/**
 * What a request does, as kube-apiserver's metrics name it. Immutable.
 *
 * @param verb such as update, list or watch
 * @param resource plural, with its subresource behind a slash
 */
record Operation(String verb, String resource) implements Comparable<Operation> {
  private static final Comparator<Operation> ORDER =
      Comparator.comparing(Operation::resource).thenComparing(Operation::verb);

  @Override
  public int compareTo(Operation other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return verb + " " + resource;
  }
}
