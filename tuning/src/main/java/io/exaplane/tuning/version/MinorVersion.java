// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A minor version of Kubernetes, as 1.36. */
public record MinorVersion(int minor) implements Comparable<MinorVersion> {
  private static final Pattern TEXT = Pattern.compile("v?1\\.(\\d{1,4})(\\.\\d+)?");

  /**
   * Reads {@code 1.36}, {@code 1.36.3} or {@code v1.36.3}.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static MinorVersion parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("must be a version such as 1.36 or 1.36.3");
    }
    return new MinorVersion(Integer.parseInt(matcher.group(1)));
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
