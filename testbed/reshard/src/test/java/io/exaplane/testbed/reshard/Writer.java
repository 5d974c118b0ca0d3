// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import io.exaplane.testbed.reshard.Tally.Conflict;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A client with objects that it alone writes, and a book of what was acknowledged: each answer is
 * held to the book at once. It also raises the numbers of objects that all writers share. One
 * thread, and after its end any other.
 */
final class Writer {
  private static final int SUCCESS = 2;
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int FEW = 8;
  private static final int TURNS = 20;
  private static final long MOVED_BY = 900_000_000;
  private static final long SETTLE_MS = 100;

  private final String name;
  private final Kind kind;
  private final ApiServer own;
  private final ApiServer other;
  private final List<String> shared;
  private final Tally tally;
  private final Random random;
  private final Map<String, Held> book = new TreeMap<>();
  private int made;

  /**
   * A writer without objects.
   *
   * @param own takes its writes
   * @param other answers some of its reads
   */
  Writer(String name, Kind kind, ApiServer own, ApiServer other, List<String> shared, Tally tally) {
    this.name = name;
    this.kind = kind;
    this.own = own;
    this.other = other;
    this.shared = shared;
    this.tally = tally;
    this.random = new Random(name.hashCode());
  }

  /** What it knows to be there, by name. */
  Map<String, Held> book() {
    return book;
  }

  /** One write, now and then a read. */
  void step() throws InterruptedException {
    int turn = random.nextInt(TURNS);
    try {
      if (book.size() < FEW || turn < 2) {
        create(kind.plural + "-" + name + "-" + made++);
      } else if (turn < 4) {
        delete(any());
      } else if (turn < 6) {
        raiseShared(shared.get(random.nextInt(shared.size())));
      } else if (turn == 6) {
        read(any());
      } else {
        update(any());
      }
    } catch (IOException e) {
      tally.violated("%s: an answer that is no object: %s".formatted(name, e));
    }
  }

  private String any() {
    List<String> names = new ArrayList<>(book.keySet());
    return names.get(random.nextInt(names.size()));
  }

  private void create(String object) throws IOException, InterruptedException {
    Answer answer = write("POST", kind.path(), kind.manifest(object, ""));
    if (answer.status() / 100 == SUCCESS) {
      book.put(object, Held.of(answer.body()));
    } else if (answer.status() == CONFLICT) {
      tally.violated("created once, and there was one already: " + object);
    } else {
      // Creating it again fences the first attempt: only one of both can succeed.
      Answer again = write("POST", kind.path(), kind.manifest(object, ""));
      while (again.status() / 100 != SUCCESS && again.status() != CONFLICT) {
        again = write("POST", kind.path(), kind.manifest(object, ""));
      }
      book.put(object, settle(object));
    }
  }

  private void update(String object) throws IOException, InterruptedException {
    Held before = book.get(object);
    Answer answer = write("PUT", path(object), before.raised());
    if (answer.status() == OK) {
      Held after = Held.of(answer.body());
      check(object, before, after, 1);
      book.put(object, after);
      return;
    }
    Held now = settle(object);
    if (now == null) {
      tally.violated("%s is gone, which only %s deletes".formatted(object, name));
      book.remove(object);
      return;
    }
    if (answer.status() == CONFLICT) {
      judge(object, before, now);
      book.put(object, now);
    } else {
      check(object, before, now, now.number() - before.number() == 1 ? 1 : 0);
      book.put(object, now.inDoubt());
    }
  }

  /** A conflict about an object that nobody else writes. */
  private void judge(String object, Held before, Held now) {
    long raised = now.number() - before.number();
    if (raised == 1 && before.isInDoubt()) {
      return; // The write before came to effect after it was settled.
    }
    if (raised != 0) {
      tally.violated(
          "%s: refused as a conflict, and raised by %d all the same".formatted(object, raised));
    }
    tally.count(hasMoved(before, now) ? Conflict.MOVED : Conflict.BASELESS);
  }

  /** The store that a Kind moves to begins far above all revisions of the one before. */
  private static boolean hasMoved(Held before, Held now) {
    return now.revision() - before.revision() > MOVED_BY;
  }

  private void delete(String object) throws IOException, InterruptedException {
    Held before = book.get(object);
    Answer answer = write("DELETE", path(object), before.deletion());
    if (answer.status() == OK) {
      book.remove(object);
      return;
    }
    Held now = settle(object);
    if (answer.status() == CONFLICT) {
      if (now == null) {
        tally.violated(object + ": refused as a conflict, and deleted all the same");
        book.remove(object);
      } else {
        judge(object, before, now);
        book.put(object, now);
        if (now.isTerminating()) {
          // A pod is marked and then removed, and the conflict came between: any update ends it.
          finishDeletion(object, now);
        }
      }
    } else if (answer.status() == NOT_FOUND && !before.isInDoubt()) {
      tally.violated("%s is gone, which only %s deletes".formatted(object, name));
      book.remove(object);
    } else {
      finishDeletion(object, now);
    }
  }

  /** After an attempt in doubt: until it is gone for certain. */
  private void finishDeletion(String object, Held now) throws IOException, InterruptedException {
    book.remove(object);
    Held left = now;
    while (left != null) {
      write("DELETE", path(object), left.deletion());
      left = settle(object);
    }
  }

  private void read(String object) throws IOException, InterruptedException {
    Held known = book.get(object);
    Answer answer = answer(other, "GET", path(object), "");
    if (answer.status() == OK) {
      Held seen = Held.of(answer.body());
      check(object, known, seen, seen.number() > known.number() && known.isInDoubt() ? 1 : 0);
    } else if (answer.status() == NOT_FOUND) {
      tally.violated(object + " was acknowledged, and another kube-apiserver does not have it");
    } else {
      tally.doubt("read: " + answer);
    }
  }

  private void check(String object, Held before, Held after, long raised) {
    if (after.number() != before.number() + raised) {
      tally.violated(
          "%s is at %d, not at %d".formatted(object, after.number(), before.number() + raised));
    }
    if (after.revision() < before.revision()) {
      tally.violated(
          "%s: resourceVersion %s after %s".formatted(object, after.version(), before.version()));
    }
  }

  private void raiseShared(String object) throws IOException, InterruptedException {
    Held before = settle(object);
    if (before == null) {
      tally.violated(object + " is gone, which nobody deletes");
      return;
    }
    Answer answer = write("PUT", path(object), before.raised());
    if (answer.status() == OK) {
      tally.raised(object, Held.of(answer.body()).number());
    } else if (answer.status() == CONFLICT) {
      Held now = settle(object);
      boolean isDue = now != null && now.number() > before.number();
      boolean isMoved = now != null && hasMoved(before, now);
      tally.count(isDue ? Conflict.DUE : isMoved ? Conflict.MOVED : Conflict.BASELESS);
    } else {
      tally.mayBeRaised(object);
    }
  }

  /** What there is, asked until a server says so; null if nothing is there. */
  private Held settle(String object) throws IOException, InterruptedException {
    while (true) {
      Answer answer = answer(own, "GET", path(object), "");
      if (answer.status() == OK) {
        return Held.of(answer.body());
      }
      if (answer.status() == NOT_FOUND) {
        return null;
      }
      tally.doubt("read: " + answer);
      Thread.sleep(SETTLE_MS);
    }
  }

  private Answer write(String method, String path, String body) throws InterruptedException {
    long sent = System.nanoTime();
    Answer answer = answer(own, method, path, body);
    if (answer.status() / 100 == SUCCESS) {
      tally.writes.succeeded(sent);
    } else if (answer.status() != CONFLICT && answer.status() != NOT_FOUND) {
      tally.doubt(method + ": " + answer);
      Thread.sleep(SETTLE_MS);
    }
    return answer;
  }

  private static Answer answer(ApiServer server, String method, String path, String body)
      throws InterruptedException {
    try {
      HttpResponse<String> response = server.ask(method, path, body);
      return new Answer(response.statusCode(), response.body());
    } catch (IOException e) {
      return new Answer(0, e.toString());
    }
  }

  private String path(String object) {
    return kind.path() + "/" + object;
  }

  /** 0 if none came. */
  private record Answer(int status, String body) {
    private static final int MOST = 160;

    @Override
    public String toString() {
      return status + " " + body.substring(0, Math.min(MOST, body.length())).strip();
    }
  }
}
