// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.observe;

import java.util.Comparator;

/** A version of Kubernetes, as 1.36.3; what is no number counts as none. */
public record ComparableVersion(int minor, int patch) implements Comparable<ComparableVersion> {
  private static final Comparator<ComparableVersion> ORDER =
      Comparator.comparingInt(ComparableVersion::minor).thenComparingInt(ComparableVersion::patch);

  static ComparableVersion of(String version) {
    String[] parts = version.split("\\.");
    return new ComparableVersion(part(parts, 1), part(parts, 2));
  }

  private static int part(String[] parts, int number) {
    return parts.length > number && parts[number].matches("[0-9]{1,6}")
        ? Integer.parseInt(parts[number])
        : 0;
  }

  @Override
  public int compareTo(ComparableVersion other) {
    return ORDER.compare(this, other);
  }
}
