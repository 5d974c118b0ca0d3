// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.fleet;

import io.exaplane.api.v1alpha1.RolloutTurn;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * All places at one moment. Who waits longest is the next; of those that began to wait in the same
 * second, by name. Pure.
 *
 * @param members those that have a place
 * @param silent UIDs of those that were called and did not come: nobody waits for them
 * @param most how many roll at once
 * @param limit after which a rollout counts no longer
 */
record Places(List<Member> members, Set<String> silent, int most, Duration limit, Instant now) {
  /** To this place every move is written; a fleet in a queue would write statuses all the time. */
  private static final int EXACT = 10;

  /** A control plane with a place. */
  record Member(String uid, String namespace, String name, RolloutTurn place) {
    Instant since() {
      return Instant.parse(place.since());
    }
  }

  private static final Comparator<Member> OLDEST_FIRST =
      Comparator.comparing(Member::since)
          .thenComparing(Member::namespace)
          .thenComparing(Member::name);

  /** How many more may begin, beside one that is not counted. */
  int free(String uid) {
    long rolling =
        members.stream()
            .filter(member -> !member.uid().equals(uid))
            .filter(member -> member.place().state() == RolloutTurn.State.Rolling)
            .filter(member -> !isOver(member.place()))
            .count();
    return (int) Math.max(0, most - rolling);
  }

  /** Those that wait and come when they are called, the next one first. */
  List<Member> waiting() {
    return members.stream()
        .filter(member -> member.place().state() == RolloutTurn.State.Waiting)
        .filter(member -> !silent.contains(member.uid()))
        .sorted(OLDEST_FIRST)
        .toList();
  }

  /** How many are to begin before one. */
  int ahead(Member one) {
    return (int)
        waiting().stream()
            .filter(member -> !member.uid().equals(one.uid()))
            .filter(member -> OLDEST_FIRST.compare(member, one) < 0)
            .count();
  }

  /** Whether a rollout has had its time. */
  boolean isOver(RolloutTurn place) {
    return !Instant.parse(place.since()).plus(limit).isAfter(now);
  }

  /** A place as it is told: above 10 with one digit that counts, rounded up. */
  static int told(int place) {
    int unit = 1;
    while (place > EXACT * unit) {
      unit *= EXACT;
    }
    return Math.ceilDiv(place, unit) * unit;
  }
}
