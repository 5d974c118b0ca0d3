// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import io.exaplane.store.wire.page.PageAnswer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Moves the Kind from one store to the other, request by request, as an operator does; may end
 * anywhere, and the next one finds out from the stores where the move stands. One life of it.
 * Longer than others: each answer decides which request comes next, so the states are one machine.
 */
final class MovePump {
  /** What it does next. */
  enum Step {
    LOOK_AT_FROM,
    LOOK_AT_TO,
    THAW_FIRST,
    ABANDON_FIRST,
    ARRIVE,
    PAGE,
    TAKE_PAGE,
    CHANGES,
    TAKE_CHANGES,
    FREEZE,
    SUM,
    SUM_OF_TO,
    LEAVE,
    FINISH,
    CLEAR,
    THAW,
    ABANDON,
    DONE,
    ROLLED_BACK
  }

  private static final byte[] NOTHING = {};
  private static final int MOST_TIMES = 100;
  private static final Pattern REVISION = Pattern.compile("\\{\"revision\":(\\d+)[,}]");
  private static final Pattern MOVE =
      Pattern.compile("\"id\":\"([^\"]*)\",\"state\":\"(\\w+)\",\"revision\":(\\d+)");
  private static final Pattern SUM =
      Pattern.compile("\"keys\":(\\d+),\"sha256\":\"([0-9a-f]{64})\"");

  private final Random random;
  private final MoveFault fault;
  private final String id;
  private final MoveSide from;
  private final MoveSide to;
  private final Consumer<MoveSide> route;
  private Step step = Step.LOOK_AT_FROM;

  // The request that is under way.
  private PageAnswer answer;
  private boolean isAsked;
  private MoveSide asked;
  private int life;
  private int number;

  private boolean isFrozen;

  /** Of the move that a store is still in, be it an earlier one that was given up. */
  private String lastId = "";

  private boolean hasLeft;

  /** Of the move by which the Kind left the store to which it goes now; empty if it did not. */
  private String finished = "";

  private long leftAt;
  private long changesFrom;
  private long frozenAt;

  /** The freeze whose sums are compared; {@link #frozenAt} as long as changes come before them. */
  private long comparedAt;

  private String next = "";
  private byte[] records = NOTHING;
  private byte[] held = NOTHING;
  private boolean isCopied;
  private int rounds;
  private String sum = "";
  private boolean mayDiffer;
  private boolean isDisturbed;
  private int times;
  private String refusal = "";
  private String finding;

  /**
   * @param fault what goes wrong, or null
   * @param route told of the store that new connections shall lead to
   */
  MovePump(
      Random random,
      MoveFault fault,
      String id,
      MoveSide from,
      MoveSide to,
      Consumer<MoveSide> route) {
    this.random = random;
    this.fault = fault;
    this.id = id;
    this.from = from;
    this.to = to;
    this.route = route;
  }

  Step step() {
    return step;
  }

  boolean isDone() {
    return step == Step.DONE || step == Step.ROLLED_BACK;
  }

  /** What is wrong, or null. */
  String finding() {
    return finding;
  }

  /** Gives the move up, unless the Kind may have left already. */
  void rollBack() {
    boolean mayHaveLeft =
        hasLeft || step.compareTo(Step.LEAVE) >= 0 || step.compareTo(Step.THAW_FIRST) < 0;
    if (!mayHaveLeft && !isAsked) {
      step = Step.THAW;
    }
  }

  /** Another one does not know that it has ended, and goes on for a while. */
  void disturb() {
    isDisturbed = true;
  }

  /** Asks, or takes the answer. */
  void go() {
    if (isDone() || finding != null) {
      return;
    }
    if (isAsked && asked.life() != life) {
      isAsked = false; // the connection is lost: it asks again
    }
    if (!isAsked) {
      send();
    } else if (answer != null) {
      PageAnswer got = answer;
      isAsked = false;
      take(got);
    }
  }

  private void ask(MoveSide side, String method, String page, byte[] body) {
    int mine = ++number;
    isAsked = true;
    asked = side;
    life = side.life();
    answer = null;
    String query = page.contains("?") ? "&prefix=" : "?prefix=";
    String uri = page.equals("/moves") ? page : page + query + "%2Fregistry%2Fpods%2F";
    side.ask(
        method,
        uri,
        body,
        got -> {
          if (mine == number) {
            answer = got;
          }
        });
  }

  private void post(MoveSide side, String page, byte[] body) {
    post(side, page, id, body);
  }

  private void post(MoveSide side, String page, String byId, byte[] body) {
    ask(side, "POST", "/moves/" + page + (page.contains("?") ? "&id=" : "?id=") + byId, body);
  }

  private void get(MoveSide side, String page) {
    ask(side, "GET", "/moves/" + page, NOTHING);
  }

  private void send() {
    switch (step) {
      case LOOK_AT_FROM -> ask(from, "GET", "/moves", NOTHING);
      case LOOK_AT_TO -> ask(to, "GET", "/moves", NOTHING);
      case ARRIVE -> post(to, "arrive?above=" + changesFrom + finishedBy(finished), NOTHING);
      case PAGE -> get(from, "page" + (next.isEmpty() ? "" : "?after=" + next));
      case TAKE_PAGE, TAKE_CHANGES -> post(to, "take", records);
      case CHANGES ->
          get(from, "changes?after=" + changesFrom + "&waitMs=" + random.nextInt(3) * 40);
      case FREEZE -> post(from, "freeze", NOTHING);
      case SUM -> get(from, "sum");
      case SUM_OF_TO -> get(to, "sum");
      case LEAVE -> post(from, "leave?revision=" + comparedAt, NOTHING);
      case FINISH -> post(to, "finish?" + sum + "&above=" + leftAt, NOTHING);
      case CLEAR -> post(from, "clear?finished=" + id, NOTHING);
      case THAW_FIRST -> post(from, "thaw", lastId, NOTHING);
      case ABANDON_FIRST -> post(to, "abandon", lastId, NOTHING);
      case THAW -> post(from, "thaw", NOTHING);
      case ABANDON -> post(to, "abandon", NOTHING);
      case DONE, ROLLED_BACK -> {}
    }
  }

  private static String finishedBy(String id) {
    return id.isEmpty() ? "" : "&finished=" + id;
  }

  private static String text(PageAnswer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static long revision(PageAnswer answer) {
    Matcher found = REVISION.matcher(text(answer));
    found.find();
    return Long.parseLong(found.group(1));
  }

  private static String header(PageAnswer answer, String name) {
    return answer.headers().getOrDefault(name, "");
  }

  private void take(PageAnswer got) {
    if (got.status() == 429 || got.status() == 503) {
      return; // asks again
    }
    if (got.status() != 200) {
      refused(got);
      return;
    }
    switch (step) {
      case LOOK_AT_FROM -> {
        isFrozen = state(got).startsWith("Frozen");
        lastId = state(got).replace("Frozen", "");
        hasLeft = state(got).equals("Left" + id);
        leftAt = revision(got);
        changesFrom = revision(got);
        comparedAt = isFrozen ? revisionOfState(got) : 0;
        step = Step.LOOK_AT_TO;
      }
      case LOOK_AT_TO -> goOn(state(got));
      case THAW_FIRST, ABANDON_FIRST -> {
        lastId = id;
        step = Step.LOOK_AT_FROM;
      }
      case ARRIVE -> {
        next = "";
        isCopied = false;
        rounds = random.nextInt(4);
        step = Step.PAGE;
      }
      case PAGE -> page(got);
      case TAKE_PAGE -> step = Step.CHANGES;
      case CHANGES -> changes(got);
      case TAKE_CHANGES -> afterChanges();
      case FREEZE -> {
        frozenAt = revision(got);
        comparedAt = frozenAt;
        step = fault == MoveFault.NO_LAST_CHANGES ? Step.SUM : Step.CHANGES;
      }
      case SUM -> {
        sum = sum(got);
        step = hasLeft ? Step.FINISH : Step.SUM_OF_TO;
      }
      case SUM_OF_TO -> compare(got);
      case LEAVE -> {
        hasLeft = true;
        leftAt = revision(got);
        if (fault == MoveFault.LOST_LEAVE) {
          from.forgetMoves();
        }
        step = Step.FINISH;
      }
      case FINISH -> {
        route.accept(to);
        step = random.nextBoolean() ? Step.CLEAR : Step.DONE;
      }
      case CLEAR -> step = Step.DONE;
      case THAW -> {
        route.accept(from);
        step = Step.ABANDON;
      }
      case ABANDON -> step = Step.ROLLED_BACK;
      case DONE, ROLLED_BACK -> {}
    }
  }

  private static String state(PageAnswer got) {
    Matcher found = MOVE.matcher(text(got));
    return found.find() ? found.group(2) + found.group(1) : "none";
  }

  private static long revisionOfState(PageAnswer got) {
    Matcher found = MOVE.matcher(text(got));
    found.find();
    return Long.parseLong(found.group(3));
  }

  /** Where an earlier life of the pump ended. */
  private void goOn(String stateOfTo) {
    finished = stateOfTo.startsWith("Left") ? stateOfTo.replace("Left", "") : "";
    if (stateOfTo.equals("Arrived" + id)) {
      route.accept(to);
      step = Step.DONE;
    } else if (hasLeft && stateOfTo.equals("Arriving" + id)) {
      step = Step.SUM;
    } else if (isFrozen
        && lastId.equals(id)
        && stateOfTo.equals("Arriving" + id)
        && random.nextBoolean()) {
      mayDiffer = true; // perhaps not all changes were taken
      route.accept(to);
      step = Step.SUM;
    } else if (isFrozen) {
      step = Step.THAW_FIRST;
    } else if (stateOfTo.startsWith("Arriving") && !stateOfTo.equals("Arriving" + id)) {
      lastId = stateOfTo.replace("Arriving", "");
      step = Step.ABANDON_FIRST;
    } else {
      begin();
    }
  }

  private void begin() {
    if (++times > MOST_TIMES) {
      finding = "the copy began %d times, at last %s".formatted(times, this);
    }
    mayDiffer = false;
    frozenAt = 0;
    held = NOTHING;
    route.accept(hasLeft ? to : from);
    step = Step.ARRIVE;
  }

  private void refused(PageAnswer got) {
    refusal = "%s: %d %s".formatted(step, got.status(), text(got));
    if (got.status() != 409 && got.status() != 404 && got.status() != 410) {
      finding = refusal;
    } else if (step == Step.ABANDON) {
      step = Step.ROLLED_BACK;
    } else if (step == Step.FINISH && hasLeft) {
      begin(); // nothing is lost: the store that was left still has all
    } else if (++times > MOST_TIMES) {
      finding = refusal + "again and again";
    } else {
      frozenAt = 0;
      step = Step.LOOK_AT_FROM; // what another one asked for was done meanwhile
    }
  }

  private void page(PageAnswer got) {
    records = got.body();
    next = header(got, "x-exaplane-next");
    isCopied = next.isEmpty();
    step = Step.TAKE_PAGE;
    if (fault == MoveFault.OLD_PAGE && held.length == 0 && random.nextBoolean()) {
      held = records;
      step = Step.CHANGES;
    }
  }

  private void changes(PageAnswer got) {
    records = got.body();
    changesFrom = Long.parseLong(header(got, "x-exaplane-revision"));
    boolean isSkipped =
        (fault == MoveFault.SKIPPED_CHANGES || fault == MoveFault.NO_SUMS)
            && records.length > 0
            && random.nextInt(4) == 0;
    if (records.length > 0 && !isSkipped) {
      step = Step.TAKE_CHANGES;
    } else {
      afterChanges();
    }
  }

  private void afterChanges() {
    if (held.length > 0 && random.nextBoolean()) {
      records = held;
      held = NOTHING;
      step = Step.TAKE_PAGE;
    } else if (frozenAt > 0) {
      step = changesFrom < frozenAt ? Step.CHANGES : Step.SUM;
    } else if (!isCopied) {
      step = Step.PAGE;
    } else if (hasLeft && held.length == 0) {
      step = records.length > 0 ? Step.CHANGES : Step.SUM;
    } else if (rounds-- > 0 || held.length > 0) {
      step = Step.CHANGES;
    } else {
      route.accept(to);
      step = Step.FREEZE;
    }
  }

  private String sum(PageAnswer got) {
    Matcher found = SUM.matcher(text(got));
    found.find();
    return "keys=%s&sha256=%s".formatted(found.group(1), found.group(2));
  }

  private void compare(PageAnswer got) {
    if (fault == MoveFault.NO_SUMS) {
      sum = sum(got);
    }
    if (sum.equals(sum(got))) {
      step = Step.LEAVE;
    } else if (mayDiffer || isDisturbed) {
      lastId = id;
      step = Step.THAW_FIRST;
    } else {
      finding = "the stores differ when the move is to end: %s, %s".formatted(sum, text(got));
    }
  }

  /** The key after which the next page begins, for messages. */
  @Override
  public String toString() {
    return "%s of %s, next %s, changes from %d, frozen at %d, last refusal '%s'"
        .formatted(
            step,
            id,
            new String(Base64.getUrlDecoder().decode(next), StandardCharsets.UTF_8),
            changesFrom,
            frozenAt,
            refusal);
  }
}
