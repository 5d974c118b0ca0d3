// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files of one revision; overlays are rendered already. Immutable.
 *
 * @param revision what the place had, such as {@code v1@sha256:…} or {@code main@sha1:…}
 * @param files text by path from the root of the place, in the order of the paths; never empty
 */
public record Fetched(String revision, Map<String, String> files) implements Fetch {
  public Fetched {
    files = Collections.unmodifiableMap(new TreeMap<>(files));
  }
}
