// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An API server's reviews out of two tables. */
final class FakeReviews implements Reviews {
  final Map<String, Viewer> users = new HashMap<>();
  final Set<Right> rights = new HashSet<>();
  boolean answers = true;
  int asked;

  static Viewer viewer(String name) {
    return new Viewer(name, "", List.of(), Map.of());
  }

  @Override
  public Optional<Viewer> who(String token) {
    check();
    return Optional.ofNullable(users.get(token));
  }

  @Override
  public boolean may(Viewer viewer, Right right) {
    check();
    return rights.contains(right);
  }

  private void check() {
    asked++;
    if (!answers) {
      throw new Unreachable(new IllegalStateException("of a test"));
    }
  }
}
