// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A minor version of Kubernetes whose scheduler's decisions the engine makes, with the default
 * feature gates of that version.
 */
public enum Version {
  V1_34("1.34"),
  V1_35("1.35"),
  V1_36("1.36"),
  V1_37("1.37");

  private final String text;

  Version(String text) {
    this.text = text;
  }

  /** The newest one. */
  public static Version newest() {
    return values()[values().length - 1];
  }

  /**
   * The version of this name.
   *
   * @throws IllegalArgumentException with the versions that there are
   */
  public static Version of(String text) {
    for (Version version : values()) {
      if (version.text.equals(text)) {
        return version;
      }
    }
    throw new IllegalArgumentException(
        "one of "
            + Arrays.stream(values()).map(Version::toString).collect(Collectors.joining(", ")));
  }

  public boolean atLeast(Version other) {
    return compareTo(other) >= 0;
  }

  @Override
  public String toString() {
    return text;
  }
}
