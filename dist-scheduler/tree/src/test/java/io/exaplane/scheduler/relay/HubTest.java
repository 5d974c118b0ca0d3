// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.placement.BestOfCell;
import io.exaplane.scheduler.tree.Down;
import io.exaplane.scheduler.tree.Packed;
import io.exaplane.scheduler.tree.Up;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What gets lost, comes twice, late or in another order. */
class HubTest {
  private static final Down.Rules RULES = new Down.Rules("", "", 0);

  private final List<Up> above = new ArrayList<>();
  private final Hub hub = new Hub(above::add);
  private final Branch first = new Branch();
  private final Branch second = new Branch();

  private static final class Branch implements Hub.Branch {
    private final List<Down> got = new ArrayList<>();
    private String cut;

    @Override
    public void send(Down message) {
      got.add(message);
    }

    @Override
    public void cut(String why) {
      cut = why;
    }
  }

  @BeforeEach
  void twoShards() {
    joins(first, 1);
    joins(second, 2);
    above.clear();
    first.got.clear();
    second.got.clear();
  }

  private void joins(Branch branch, int number) {
    hub.up(branch, new Up.Hello(100 + number, Up.Kind.SHARD, "s", "m", List.of()));
    hub.down(new Down.Welcome(100 + number, number, 1, RULES));
  }

  private static Up.Answer answer(long id, int member, int node, int score) {
    BestOfCell cell = new BestOfCell(7, 1, new int[] {node}, new int[] {score}, new long[] {node});
    return new Up.Answer(id, List.of(cell), List.of(new Up.Took(member, 1)));
  }

  @Test
  void helloGoesUpAndWelcomeFindsItsWayDown() {
    Branch third = new Branch();
    hub.up(third, new Up.Hello(5, Up.Kind.RELAY, "r", "m", List.of("x")));
    assertThat(above).containsExactly(new Up.Hello(5, Up.Kind.RELAY, "r", "m", List.of("x")));
    hub.down(new Down.Welcome(5, 3, 1, RULES));
    assertThat(third.got).hasSize(1);
    assertThat(first.got).isEmpty();
    hub.down(new Down.Ask(1, 1, 4));
    assertThat(third.got).as("a relay without shards is not asked").hasSize(1);
  }

  @Test
  void answersGoUpAsOneTheBestFirst() {
    hub.down(new Down.Ask(1, 9, 4));
    assertThat(first.got).hasSize(1);
    hub.up(first, answer(1, 1, 11, 50));
    assertThat(above).isEmpty();
    hub.up(second, answer(1, 2, 22, 60));
    Up.Answer both = (Up.Answer) above.getFirst();
    assertThat(both.cells()).hasSize(1);
    assertThat(both.cells().getFirst().nodes()).containsExactly(22, 11);
    assertThat(both.cells().getFirst().size()).isEqualTo(2);
    assertThat(both.from()).hasSize(2);
  }

  private static BestOfCell cell(long signature, int... nodes) {
    int[] scores = IntStream.range(0, nodes.length).map(i -> 100 - nodes[i]).toArray();
    long[] hashes = IntStream.of(nodes).asLongStream().toArray();
    return new BestOfCell(signature, nodes.length, nodes, scores, hashes);
  }

  private static Up.Answer answer(long id, int member, BestOfCell... cells) {
    return new Up.Answer(id, List.of(cells), List.of(new Up.Took(member, member)));
  }

  /** Whoever is asked for four gets four of each cell, however many branches have more. */
  @Test
  void asManyGoUpAsWereAskedForAndNoMore() {
    hub.down(new Down.Ask(1, 9, 4));
    hub.up(first, answer(1, 1, cell(7, 1, 3, 5, 7), cell(8, 40)));
    hub.up(second, answer(1, 2, cell(7, 2, 4, 6, 8), cell(9, 50)));
    Up.Answer both = (Up.Answer) above.getFirst();
    assertThat(both.cells().stream().map(BestOfCell::signature)).containsExactly(7L, 8L, 9L);
    assertThat(both.cells().get(0).nodes()).containsExactly(1, 2, 3, 4);
    assertThat(both.cells().get(0).size()).isEqualTo(8);
    assertThat(both.cells().get(1).nodes()).containsExactly(40);
    assertThat(both.from()).containsExactly(new Up.Took(1, 1), new Up.Took(2, 2));
    assertThat(both.id()).isEqualTo(1);
  }

  /** Also where one branch alone was asked, and says more than it was asked for. */
  @Test
  void aSingleBranchIsHeldToWhatWasAskedFor() {
    hub.broken(second);
    above.clear();
    hub.down(new Down.Ask(1, 9, 2));
    hub.up(first, answer(1, 1, cell(7, 1, 3, 5)));
    assertThat(((Up.Answer) above.getFirst()).cells().getFirst().nodes()).containsExactly(1, 3);
  }

  /** What a branch said of one question is no part of the answer to the next. */
  @Test
  void aQuestionBeginsWithNothing() {
    hub.down(new Down.Ask(1, 9, 4));
    hub.up(first, new Up.Answer(1, null, List.of(new Up.Took(1, 1))));
    hub.down(new Down.Ask(2, 9, 4));
    hub.up(first, answer(1, 1, cell(7, 9)));
    hub.up(second, answer(2, 2, cell(7, 2)));
    hub.up(first, answer(2, 1, cell(7, 1)));
    Up.Answer both = (Up.Answer) above.getFirst();
    assertThat(both.cells().getFirst().nodes()).containsExactly(1, 2);
    assertThat(both.from()).containsExactly(new Up.Took(2, 2), new Up.Took(1, 1));
    hub.down(new Down.Ask(3, 9, 4));
    hub.up(first, answer(3, 1, cell(7, 5)));
    hub.up(second, answer(3, 2, cell(7, 6)));
    Up.Answer third = (Up.Answer) above.getLast();
    assertThat(third.id()).isEqualTo(3);
    assertThat(third.cells().getFirst().nodes()).containsExactly(5, 6);
    assertThat(third.from()).hasSize(2);
  }

  /** Who goes after all have answered takes nothing back. */
  @Test
  void whatIsAnsweredStaysSo() {
    hub.down(new Down.Ask(1, 9, 4));
    hub.up(first, answer(1, 1, cell(7, 1)));
    hub.up(second, answer(1, 2, cell(7, 2)));
    assertThat(above).hasSize(1);
    hub.broken(second);
    assertThat(above).hasSize(2).last().isEqualTo(new Up.Left(2));
  }

  /** A relay without shards, and who came since, have no say. */
  @Test
  void whoWasNotAskedAnswersNothing() {
    Branch third = new Branch();
    hub.down(new Down.Ask(1, 9, 4));
    joins(third, 3);
    above.clear();
    hub.up(third, answer(1, 3, cell(7, 3)));
    hub.up(first, answer(1, 1, cell(7, 1)));
    assertThat(above).isEmpty();
    hub.up(second, answer(1, 2, cell(7, 2)));
    Up.Answer both = (Up.Answer) above.getFirst();
    assertThat(both.cells().getFirst().nodes()).containsExactly(1, 2);
    assertThat(both.from()).hasSize(2);
  }

  @Test
  void whatComesTwiceOrLateOrOfAnotherQuestionIsNothing() {
    hub.down(new Down.Ask(1, 9, 4));
    hub.up(first, answer(1, 1, 11, 50));
    hub.up(first, answer(1, 1, 11, 50));
    assertThat(above).isEmpty();
    hub.down(new Down.Ask(2, 9, 4));
    hub.up(second, answer(1, 2, 22, 60));
    hub.up(second, answer(2, 2, 22, 60));
    assertThat(above).isEmpty();
    hub.up(first, answer(2, 1, 11, 50));
    assertThat(above).hasSize(1);
    hub.up(first, answer(2, 1, 11, 50));
    hub.up(second, answer(3, 2, 22, 60));
    assertThat(above).hasSize(1);
  }

  @Test
  void whoCannotTellMakesAllUnableToTell() {
    hub.down(new Down.Ask(1, 9, 4));
    hub.up(first, new Up.Answer(1, null, List.of(new Up.Took(1, 1))));
    hub.up(second, answer(1, 2, 22, 60));
    assertThat(((Up.Answer) above.getFirst()).cells()).isNull();
  }

  @Test
  void aBranchThatBreaksTakesItsMembersAndTheQuestionAlong() {
    hub.down(new Down.Ask(1, 9, 4));
    hub.up(first, answer(1, 1, 11, 50));
    hub.broken(second);
    Up.Took took = new Up.Took(1, 1);
    assertThat(above).containsExactly(new Up.Left(2), new Up.Answer(1, null, List.of(took)));
    hub.up(second, answer(1, 2, 22, 60));
    assertThat(above).hasSize(2);
    hub.down(new Down.Ask(2, 9, 4));
    hub.up(first, answer(2, 1, 11, 50));
    assertThat(above).hasSize(3);
  }

  /** Else nodes would be given to somebody who is not there. */
  @Test
  void whoGoesBeforeItIsWelcomeHasLeft() {
    Branch third = new Branch();
    hub.up(third, new Up.Hello(5, Up.Kind.SHARD, "s", "m", List.of()));
    hub.broken(third);
    above.clear();
    hub.down(new Down.Welcome(5, 3, 1, RULES));
    assertThat(above).containsExactly(new Up.Left(3));
  }

  /** A member that came while the others were being asked is not one of those. */
  @Test
  void whoWasNotAskedMayGo() {
    hub.down(new Down.Ask(1, 9, 4));
    joins(first, 4);
    above.clear();
    hub.down(new Down.Drop(4, "another model"));
    hub.up(first, answer(1, 1, 11, 50));
    hub.up(second, answer(1, 2, 22, 60));
    assertThat(((Up.Answer) above.getLast()).cells()).isNotNull();
  }

  @Test
  void whoIsDroppedIsToldAndCut() {
    hub.down(new Down.Drop(2, "silent"));
    assertThat(second.got).containsExactly(new Down.Drop(2, "silent"));
    assertThat(second.cut).isEqualTo("silent");
    hub.up(second, new Up.Pong(1, 2, 10));
    assertThat(above).isEmpty();
  }

  @Test
  void nobodySpeaksForOthers() {
    hub.up(first, new Up.Pong(1, 2, 10));
    hub.up(first, new Up.Left(2));
    assertThat(above).isEmpty();
    hub.up(second, new Up.Pong(1, 2, 10));
    assertThat(above).containsExactly(new Up.Pong(1, 2, 10));
  }

  @Test
  void changesGoToWhomTheyAreFor() {
    hub.down(new Down.Changes(2, Packed.of(List.of())));
    hub.down(new Down.Changes(3, Packed.of(List.of())));
    assertThat(first.got).isEmpty();
    assertThat(second.got).hasSize(1);
  }
}
