// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.gather;

import io.exaplane.scheduler.tree.Up;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who is in the tree, when they were heard of last, and how much is on its way to each. For the
 * cluster's thread.
 */
final class Members {
  /** So many changes may be on their way to a member while it gets its share. */
  private static final long MOST_ON_THEIR_WAY = 20_000;

  private final Map<Integer, Member> all = new LinkedHashMap<>();

  /** A process in the tree. */
  static final class Member {
    private final int number;
    private final Up.Hello hello;
    private long heardNs;
    private int nodes;
    private long sent;
    private long arrived;
    private long pinged = -1;
    private long pingedNs;
    private long sentWhenPinged;

    Member(int number, Up.Hello hello, long nowNs) {
      this.number = number;
      this.hello = hello;
      heardNs = nowNs;
    }

    int number() {
      return number;
    }

    Up.Hello hello() {
      return hello;
    }

    /** How many nodes it says that it has. */
    int nodes() {
      return nodes;
    }

    long heardNs() {
      return heardNs;
    }

    boolean isShard() {
      return hello.kind() == Up.Kind.SHARD;
    }

    /** How many changes it was sent of which it is not known that it has them. */
    long onTheirWay() {
      return sent - arrived;
    }

    boolean mayHear() {
      return onTheirWay() < MOST_ON_THEIR_WAY;
    }

    void sent(int changes) {
      sent += changes;
    }
  }

  Member add(int number, Up.Hello hello, long nowNs) {
    Member member = new Member(number, hello, nowNs);
    all.put(number, member);
    return member;
  }

  Member remove(int number) {
    return all.remove(number);
  }

  /** For people. */
  String name(int number) {
    Member member = all.get(number);
    String kind = member.isShard() ? "shard " : "relay ";
    return kind + member.hello.name() + " (" + number + ")";
  }

  Member get(int number) {
    return all.get(number);
  }

  Collection<Member> all() {
    return all.values();
  }

  /** All are asked whether they are there: who answers has all that was sent before. */
  void ping(long id, long nowNs) {
    for (Member member : all.values()) {
      if (member.pinged < 0) {
        member.pinged = id;
        member.pingedNs = nowNs;
        member.sentWhenPinged = member.sent;
      }
    }
  }

  void pong(Up.Pong pong, long nowNs) {
    Member member = all.get(pong.member());
    if (member != null) {
      member.heardNs = nowNs;
      member.nodes = pong.nodes();
      if (member.pinged >= 0 && pong.id() >= member.pinged) {
        member.arrived = member.sentWhenPinged;
        member.pinged = -1;
      }
    }
  }

  /** Those that were asked before then whether they are there, and have not answered. */
  List<Member> silentSince(long timeNs) {
    return all.values().stream()
        .filter(member -> member.pinged >= 0 && member.pingedNs < timeNs)
        .toList();
  }

  /** Whether all were heard of since then. */
  boolean areHeardSince(long timeNs) {
    return all.values().stream().allMatch(member -> member.heardNs > timeNs);
  }
}
