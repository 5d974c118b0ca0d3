// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.monitors;

import io.exaplane.tuning.model.InvalidInputException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A control plane whose components are read. Immutable. */
public record HostedPlane(String namespace, String name) {
  private static final String NAME = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
  private static final Pattern BOTH = Pattern.compile("(" + NAME + ")/(" + NAME + ")");

  /**
   * As {@code namespace/name}.
   *
   * @param option that has the text, for the error
   * @throws InvalidInputException if it is something else
   */
  public static HostedPlane parse(String option, String text) {
    Matcher both = BOTH.matcher(text);
    if (!both.matches()) {
      throw new InvalidInputException(
          option,
          text,
          "must be the namespace and the name of a ControlPlane",
          "write default/demo");
    }
    return new HostedPlane(both.group(1), both.group(2));
  }

  /** The Secret that its token is read from, in its own namespace, under the key {@code token}. */
  public String tokenSecret() {
    return name + "-prometheus";
  }
}
