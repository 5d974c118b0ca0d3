// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.relay;

import io.exaplane.scheduler.engine.placement.BestOfCell;
import io.exaplane.scheduler.tree.Down;
import io.exaplane.scheduler.tree.Up;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A place where several branches of the tree come together: in the root, and in each relay. What
 * comes from above goes to the branch that it is for, or to all; what comes from below goes up, but
 * for answers, which go up as one once all branches that were asked have answered. Any thread, one
 * at a time: what is sent must not wait.
 */
public final class Hub {
  private static final int SPARE = 8;
  private static final long NOTHING = -1;

  private final Consumer<Up> above;
  private final Map<Long, Candidate> candidates = new HashMap<>();
  private final Map<Integer, Branch> members = new HashMap<>();
  private final Map<Integer, Up.Kind> kinds = new HashMap<>();
  private long asked = NOTHING;
  private int most;
  private final Set<Integer> askedOf = new HashSet<>();
  private final Set<Branch> awaited = new HashSet<>();
  private final List<List<BestOfCell>> parts = new ArrayList<>();
  private final List<Up.Took> from = new ArrayList<>();
  private boolean known;

  /** Who said Hello, and has not been welcomed yet. */
  private record Candidate(Branch branch, Up.Kind kind) {}

  /** What leads to one or more members. */
  public interface Branch {
    /** Sends something, some time soon, in the order of calls. */
    void send(Down message);

    /** Ends it. */
    void cut(String why);
  }

  /**
   * Without branches.
   *
   * @param above takes what goes up; must not wait, or call this
   */
  public Hub(Consumer<Up> above) {
    this.above = above;
  }

  /** Something came up a branch. */
  public synchronized void up(Branch branch, Up message) {
    switch (message) {
      case Up.Hello hello -> {
        candidates.put(hello.token(), new Candidate(branch, hello.kind()));
        above.accept(hello);
      }
      case Up.Answer answer -> answered(branch, answer);
      case Up.Pong pong -> {
        if (members.get(pong.member()) == branch) {
          above.accept(pong);
        }
      }
      case Up.Left left -> {
        if (members.get(left.member()) == branch) {
          leaves(left.member());
        }
      }
    }
  }

  /** A branch is gone with all that it led to. */
  public synchronized void broken(Branch branch) {
    candidates.values().removeIf(candidate -> candidate.branch() == branch);
    for (int member : List.copyOf(members.keySet())) {
      if (members.get(member) == branch) {
        leaves(member);
      }
    }
  }

  private void leaves(int member) {
    members.remove(member);
    kinds.remove(member);
    above.accept(new Up.Left(member));
    giveUpOn(member);
  }

  /** Something came from above. */
  public synchronized void down(Down message) {
    switch (message) {
      case Down.Welcome welcome -> welcomed(welcome);
      case Down.Changes changes -> pass(changes.to(), changes);
      case Down.Ask ask -> ask(ask);
      case Down.Ping ping -> branches().forEach(branch -> branch.send(ping));
      case Down.Drop drop -> {
        pass(drop.number(), drop);
        drop(drop.number(), drop.why());
      }
    }
  }

  private void welcomed(Down.Welcome welcome) {
    Candidate candidate = candidates.remove(welcome.token());
    if (candidate == null) {
      // It went before it was welcome; whoever gave it a number has to know.
      above.accept(new Up.Left(welcome.number()));
      return;
    }
    members.put(welcome.number(), candidate.branch());
    kinds.put(welcome.number(), candidate.kind());
    candidate.branch().send(welcome);
  }

  private void pass(int member, Down message) {
    Branch branch = members.get(member);
    if (branch != null) {
      branch.send(message);
    }
  }

  /** A branch that leads to nobody else ends. */
  private void drop(int member, String why) {
    Branch branch = members.remove(member);
    kinds.remove(member);
    giveUpOn(member);
    boolean waits =
        candidates.values().stream().anyMatch(candidate -> candidate.branch() == branch);
    if (branch != null && !members.containsValue(branch) && !waits) {
      branch.cut(why);
    }
  }

  private Set<Branch> branches() {
    return new HashSet<>(members.values());
  }

  private void ask(Down.Ask ask) {
    forget();
    asked = ask.id();
    most = ask.most();
    known = true;
    members.forEach(
        (member, branch) -> {
          if (kinds.get(member) == Up.Kind.SHARD) {
            askedOf.add(member);
            awaited.add(branch);
          }
        });
    Down.Ask part = new Down.Ask(ask.id(), ask.podClass(), part(ask.most(), awaited.size()));
    List.copyOf(awaited).forEach(branch -> branch.send(part));
    if (askedOf.isEmpty()) {
      forget();
    }
  }

  /**
   * The best nodes of all are spread over branches by chance; what they leave out costs a round.
   */
  private static int part(int most, int branches) {
    return branches < 2 ? most : Math.min(most, 2 * most / branches + SPARE);
  }

  /** What one of those that were asked cannot say is not answered in full by anybody. */
  private void giveUpOn(int member) {
    if (asked != NOTHING && askedOf.contains(member)) {
      Up.Answer none = new Up.Answer(asked, null, List.copyOf(from));
      forget();
      above.accept(none);
    }
  }

  private void forget() {
    asked = NOTHING;
    askedOf.clear();
    awaited.clear();
    parts.clear();
    from.clear();
  }

  /** Late and second answers, and such to what nobody asked, are nothing. */
  private void answered(Branch branch, Up.Answer answer) {
    if (answer.id() != asked || !awaited.remove(branch)) {
      return;
    }
    from.addAll(answer.from());
    known &= answer.cells() != null;
    if (known) {
      parts.add(answer.cells());
    }
    if (awaited.isEmpty()) {
      List<BestOfCell> cells = known ? BestOfCell.merge(parts, most) : null;
      Up.Answer together = new Up.Answer(asked, cells, List.copyOf(from));
      forget();
      above.accept(together);
    }
  }

  /** The root is another one, or gone: all branches end. */
  public synchronized void cutAll(String why) {
    forget();
    Set<Branch> all = branches();
    candidates.values().forEach(candidate -> all.add(candidate.branch()));
    members.clear();
    kinds.clear();
    candidates.clear();
    all.forEach(branch -> branch.cut(why));
  }
}
