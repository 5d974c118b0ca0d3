// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import java.util.List;
import java.util.Map;

/**
 * Who looks, as the API server knows them. Immutable.
 *
 * @param name of the user
 * @param uid "" if there is none
 * @param extra what authenticators and authorizers tell each other
 */
record Viewer(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  Viewer {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }
}
