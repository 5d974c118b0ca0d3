// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.outcome;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A request that was not carried out, in the words for a condition. Immutable.
 *
 * @param object which, as "Service demo-apiserver"
 * @param verb what was asked for: create, apply, change, delete or read
 * @param who refuses, as "ResourceQuota small"
 * @param why in the words of who refuses, without a full stop
 * @param action what to do next; one sentence
 * @param passes whether it passes by itself: nobody needs to do anything yet
 */
public record Refusal(
    String object, String verb, String who, String why, String action, boolean passes) {
  /** Begins what is told of a webhook. */
  static final String WEBHOOK = "Webhook ";

  static final String OPERATOR = "The operator";

  /** More than these nobody reads at a time. */
  private static final int MOST = 3;

  /** All of one in a few sentences. */
  public String text() {
    return "%s refuses to %s %s: %s. %s".formatted(who, verb, object, why, action);
  }

  /**
   * Whether the same state gives the same words. Who is asked over the network may count, or name
   * each request.
   */
  public boolean repeatsItself() {
    return !passes && !who.startsWith(WEBHOOK) && !who.equals(OPERATOR);
  }

  /** The first few, those first that do not pass by themselves, and how many more there are. */
  public static String text(List<Refusal> refusals) {
    String first =
        refusals.stream()
            .sorted(Comparator.comparing(Refusal::passes).thenComparing(Refusal::object))
            .map(Refusal::text)
            .distinct()
            .limit(MOST)
            .collect(Collectors.joining(" "));
    long all = refusals.stream().map(Refusal::text).distinct().count();
    return all > MOST ? "%s And %d more.".formatted(first, all - MOST) : first;
  }
}
