// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.Collection;
import java.util.stream.Collectors;

/** Words one after another, sorted; nothing is not named. */
public final class TextList {
  private TextList() {}

  public static String of(Collection<String> words) {
    return words.stream()
        .filter(word -> !word.isEmpty())
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
