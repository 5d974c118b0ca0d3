// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.cel;

import com.github.zafarkhaja.semver.ParseException;
import com.github.zafarkhaja.semver.Version;

/** A version in an expression: equal to what differs in build metadata alone. */
record Semver(Version version) implements Comparable<Semver> {
  private static final int PARTS = 3;

  /**
   * As semver.org has it, with all three numbers.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Semver parse(String text) {
    try {
      return new Semver(Version.parse(text, true));
    } catch (ParseException e) {
      throw new IllegalArgumentException(text + " is not a semantic version", e);
    }
  }

  /**
   * The same, also if it begins with a v, lacks numbers at its end, or has zeros before them.
   * Source: apiserver/pkg/cel/library/semverlib.go, normalizeAndParse.
   */
  static Semver parseLeniently(String text) {
    String[] parts = (text.startsWith("v") ? text.substring(1) : text).split("\\.", PARTS);
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < PARTS; i++) {
      all.append(i == 0 ? "" : ".").append(i < parts.length ? withoutZeros(parts[i]) : "0");
    }
    boolean isShort = parts.length < PARTS;
    if (isShort && parts[parts.length - 1].matches(".*[+-].*")) {
      throw new IllegalArgumentException("short version cannot contain PreRelease/Build meta data");
    }
    return parse(all.toString());
  }

  private static String withoutZeros(String part) {
    if (part.length() < 2) {
      return part;
    }
    String left = part.replaceFirst("^0+", "");
    return left.isEmpty() || !Character.isDigit(left.charAt(0)) ? "0" + left : left;
  }

  @Override
  public int compareTo(Semver other) {
    return Integer.signum(version.compareToIgnoreBuildMetadata(other.version));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Semver semver && compareTo(semver) == 0;
  }

  @Override
  public int hashCode() {
    return version.withoutBuildMetadata().hashCode();
  }
}
