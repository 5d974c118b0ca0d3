// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install;

/** An API type as an older version had it: NodePool with one field less. Stateless. */
public final class OlderApi {
  public static final String KIND = "nodepools.exaplane.io";

  /** What kubectl is asked for the type of the field: {@link #TYPE}, or nothing. */
  public static final String[] QUESTION = {
    "get", "crd", KIND, "-o", "jsonpath={..properties.spec.properties.maxNodes.type}"
  };

  public static final String TYPE = "integer";

  private OlderApi() {}

  /** The definition without the field. */
  public static String of(String definition) {
    String older =
        definition
            .replaceFirst("(?m)^( +)maxNodes:\n(?:\\1 +.*\n)+", "")
            .replaceFirst("(?m)^ +- maxNodes\n", "");
    if (older.contains("maxNodes:") || older.length() == definition.length()) {
      throw new AssertionError(KIND + " has no field maxNodes any more; name another one here");
    }
    return older;
  }
}
