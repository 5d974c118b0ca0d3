// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import java.util.ArrayList;
import java.util.List;

/** A watch as its user sees it: one that goes on over reconnections from where it was. */
final class Follower {
  final String start;
  final String end;
  final boolean prevKv;
  final boolean fragment;
  final long id;
  final List<Answer.Watch> log = new ArrayList<>();

  /** The first revision that it wants; 0 until it was told. */
  long from;

  /** Up to where it knows that it has seen everything. */
  long seen;

  boolean ended;

  /** Whether it goes on from a life of the store whose end it saw, and keeps its own log. */
  final boolean isHeir;

  /** When it was cancelled. */
  long canceledMs;

  Follower(String start, String end, boolean prevKv, boolean fragment, long id, long from) {
    this.start = start;
    this.end = end;
    this.prevKv = prevKv;
    this.fragment = fragment;
    this.id = id;
    this.from = from;
    this.isHeir = false;
  }

  /** Goes on from where another one got to. */
  private Follower(Follower before) {
    this.start = before.start;
    this.end = before.end;
    this.prevKv = before.prevKv;
    this.fragment = before.fragment;
    this.id = before.id;
    this.from = before.resumeFrom();
    this.isHeir = true;
  }

  /** Who goes on from here. */
  Follower heir() {
    return new Follower(this);
  }

  boolean wants(String key) {
    return end.isEmpty()
        ? key.equals(start)
        : key.compareTo(start) >= 0 && (end.equals("\0") || key.compareTo(end) < 0);
  }

  /** The revision from which a new connection has to go on. */
  long resumeFrom() {
    return seen > 0 ? seen + 1 : from;
  }

  void take(Answer.Watch response, long nowMs) {
    log.add(response);
    if (response.canceled()) {
      ended = true;
      canceledMs = nowMs;
    } else if (response.created()) {
      if (from == 0) {
        from = response.revision() + 1;
      }
    } else if (response.events().isEmpty()) {
      seen = Math.max(seen, response.revision());
    } else if (!response.fragment()) {
      seen = Math.max(seen, response.events().getLast().now().mod());
    }
  }
}
