// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

/** A minor version of Kubernetes, as 1.36. */
public record MinorVersion(int minor) implements Comparable<MinorVersion> {
  /**
   * Reads a version as upstream or a vendor writes it.
   *
   * @throws IllegalArgumentException if it is none of Kubernetes
   */
  public static MinorVersion parse(String text) {
    return PatchVersion.parse(text).minor();
  }

  public static MinorVersion of(int minor) {
    return new MinorVersion(minor);
  }

  /** Whether it is 1.{@code other} or newer. */
  public boolean atLeast(int other) {
    return minor >= other;
  }

  @Override
  public int compareTo(MinorVersion other) {
    return Integer.compare(minor, other.minor);
  }

  @Override
  public String toString() {
    return "1." + minor;
  }
}
