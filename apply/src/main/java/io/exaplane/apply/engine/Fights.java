// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Entry;
import io.exaplane.apply.entry.FieldPaths;
import io.exaplane.apply.port.FieldManager;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which objects others put back, who they are, and how long to wait before the next repair: none
 * for the first one within ten minutes, then 1 s, 2 s, 4 s and so on up to five minutes. Holds only
 * the objects that drifted lately. Single writer; times in ms of its clock.
 */
final class Fights {
  /** A fight is what happens this often within {@link #WINDOW_MS}. */
  static final int NAMED_AT = 3;

  static final long WINDOW_MS = 600_000;
  private static final long MOST_MS = 300_000;

  private final Map<Entry, Fight> fights = new HashMap<>();

  private static final class Fight {
    final ArrayDeque<Long> repairs = new ArrayDeque<>();
    List<FieldManager> before = List.of();
    List<FieldManager> during = List.of();
    String words = "";
  }

  /** An object differs from what we applied: who did it is known only now. */
  void drifted(Entry entry, List<FieldManager> managers) {
    Fight fight = fights.computeIfAbsent(entry, any -> new Fight());
    if (entry.ticket == 0) {
      fight.before = managers;
    } else {
      // Perhaps only our own apply, whose answer comes later.
      fight.during = managers;
    }
  }

  /**
   * An apply was answered.
   *
   * @param overtaken whether the object changed once more since
   */
  void landed(Entry entry, boolean overtaken) {
    Fight fight = fights.get(entry);
    if (fight != null) {
      fight.before = overtaken ? fight.during : List.of();
      fight.during = List.of();
      if (fight.repairs.isEmpty() && fight.before.isEmpty()) {
        fights.remove(entry);
      }
    }
  }

  /** The earliest time of the next repair; 0 when at once. */
  long notBefore(Entry entry, long now) {
    Fight fight = fights.get(entry);
    if (fight == null) {
      return 0;
    }
    forget(fight, now);
    int times = fight.repairs.size();
    return times == 0
        ? 0
        : fight.repairs.getLast() + Math.min(MOST_MS, 1000L << Math.min(16, times - 1));
  }

  /**
   * A drift was repaired, or an object that was gone created again.
   *
   * @return who fights for what, when this was often enough; otherwise empty
   */
  String repaired(Entry entry, boolean gone, List<FieldManager> after, String manager, long now) {
    Fight fight = fights.computeIfAbsent(entry, any -> new Fight());
    fight.repairs.add(now);
    forget(fight, now);
    int times = fight.repairs.size();
    if (times < NAMED_AT) {
      return "";
    }
    fight.words =
        gone
            ? "somebody deletes the object, or its label of the set, "
                + times
                + " times in 10 minutes; stop that, or delete the manifest"
            : words(FieldPaths.lost(fight.before, after, manager), times);
    return fight.words;
  }

  /** Who fights for what; empty when nobody does. */
  String words(Entry entry, long now) {
    Fight fight = fights.get(entry);
    if (fight == null) {
      return "";
    }
    forget(fight, now);
    return fight.repairs.size() < NAMED_AT ? "" : fight.words;
  }

  void forget(Entry entry) {
    fights.remove(entry);
  }

  private static void forget(Fight fight, long now) {
    while (!fight.repairs.isEmpty() && fight.repairs.getFirst() <= now - WINDOW_MS) {
      fight.repairs.removeFirst();
    }
  }

  private static String words(List<FieldPaths.Lost> lost, int times) {
    String often = ", " + times + " times in 10 minutes";
    String next = "; delete the field from the manifest, or stop that manager";
    if (lost.isEmpty()) {
      return "the object is also applied by a process of the same name" + often + next;
    }
    FieldPaths.Lost first = lost.getFirst();
    String more = lost.size() == 1 ? "" : " (and " + (lost.size() - 1) + " more)";
    return first.manager().isEmpty()
        ? "field "
            + first.field()
            + more
            + " is deleted by a manager that the server does not name"
            + often
            + next
        : "field "
            + first.field()
            + more
            + " is also set by manager "
            + first.manager()
            + often
            + next;
  }
}
