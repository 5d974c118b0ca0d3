// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one reading leaves for the next: a file with the same bytes is not parsed again, and the
 * objects of a file that changed share the memory of those that did not. Files are known by their
 * names, so an object that moved to another file is kept twice until the former reading is dropped.
 * For one reader at a time. Some 100 bytes a file, and 4 an object.
 */
public final class KnownFiles {
  private Map<String, Known> before = Map.of();
  private Map<String, Known> now = new HashMap<>();

  private record Known(byte[] digest, List<Manifest> manifests) {}

  /** Begins the next reading. */
  void begin() {
    before = now;
    now = new HashMap<>();
  }

  /** Whether the reading before had the same bytes under that name, and nothing was wrong. */
  boolean isSame(String file, byte[] digest) {
    Known known = before.get(file);
    return known != null && Arrays.equals(known.digest(), digest);
  }

  /** What the reading before found in a file that was whole; empty if it was not. */
  List<Manifest> manifests(String file) {
    Known known = before.get(file);
    return known == null ? List.of() : known.manifests();
  }

  /** Notes all that a file holds; only of one without problems and without aliases. */
  void keep(String file, byte[] digest, List<Manifest> manifests) {
    now.put(file, new Known(digest, manifests));
  }
}
