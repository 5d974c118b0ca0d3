// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

/**
 * What a verdict rests on and the files do not have.
 *
 * @param missing kind and name, or a field
 * @param taken what is decided as if it were so
 * @param get the command that writes what is missing
 * @param isToldApart whether it has a warning of its own
 */
record Assumption(String missing, String taken, String get, boolean isToldApart) {
  Assumption(String missing, String taken, String get) {
    this(missing, taken, get, false);
  }

  /** The same where {@link InputReport} has a warning of its own. */
  Assumption toldApart() {
    return new Assumption(missing, taken, get, true);
  }

  static Assumption of(String kind, String name, String taken) {
    return new Assumption(
        name.isEmpty() ? kind : kind + " " + name,
        taken,
        "kubectl get " + plural(kind) + " -A -o yaml");
  }

  /** A field of an object of a kind. */
  static Assumption field(String field, String taken, String kind) {
    return new Assumption(field, taken, of(kind, "", taken).get());
  }

  /** What an API server fills in when a pod is created. */
  static Assumption filledIn(String field, String taken) {
    return new Assumption(field, taken, "kubectl create --dry-run=server -f POD.yaml -o yaml");
  }

  private static String plural(String kind) {
    String lower = kind.toLowerCase(java.util.Locale.ROOT);
    if (lower.endsWith("class")) {
      return lower + "es";
    }
    return lower.endsWith("capacity") ? "csistoragecapacities" : lower + "s";
  }
}
