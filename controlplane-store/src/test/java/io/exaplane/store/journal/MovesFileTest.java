// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.move.Move;
import io.exaplane.store.move.Move.State;
import io.exaplane.store.move.MoveException;
import io.exaplane.store.move.MoveStates;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** States of moves over restarts, crashes, damage and other stores' files. */
class MovesFileTest {
  private static final Move PODS = new Move("/registry/pods/", "a.1", State.Left, 5);
  private static final Move NODES = new Move("/registry/minions/", "b", State.Arriving, 6);

  private final SimulatedStorage disk = new SimulatedStorage(new Random(1));
  private final MemberIds ids = new MemberIds(77, 1);

  private MoveStates open() throws IOException {
    return MoveStates.open(disk, ids);
  }

  private static void set(MoveStates states, Move move) throws IOException {
    states.set(move.prefix(), Optional.of(move));
  }

  @Test
  void statesAreThereAfterARestart() throws Exception {
    MoveStates states = open();
    assertThat(states.all()).isEmpty();
    set(states, PODS);
    set(states, NODES);
    disk.restart(true);
    assertThat(open().all()).containsExactly(NODES, PODS);
    assertThat(open().of("/registry/pods/")).contains(PODS);
    assertThat(open().of("/registry/pods")).isEmpty();

    open().set(NODES.prefix(), Optional.empty());
    disk.restart(true);
    assertThat(open().all()).containsExactly(PODS);
  }

  @Test
  void whereverTheMachineStopsTheStateIsTheOneBeforeOrTheNewOne() throws Exception {
    set(open(), NODES);
    int steps = 0;
    for (boolean done = false; !done; steps++) {
      SimulatedStorage copy = disk.copy();
      copy.crashAfter(steps);
      try {
        set(MoveStates.open(copy, ids), PODS);
        done = true;
      } catch (SimulatedStorage.Crash crash) {
        copy.restart(true);
        copy.crashAfter(Integer.MAX_VALUE);
        assertThat(MoveStates.open(copy, ids).all()).isIn(List.of(NODES), List.of(NODES, PODS));
      }
    }
    assertThat(steps).isGreaterThan(3);
  }

  @Test
  void whatCanNotBeWrittenIsNotShown() throws Exception {
    MoveStates states = open();
    set(states, NODES);
    disk.refuse(1);
    assertThatThrownBy(() -> set(states, PODS)).isInstanceOf(IOException.class);
    assertThat(states.all()).containsExactly(NODES);
    set(states, PODS);
    assertThat(states.all()).containsExactly(NODES, PODS);
  }

  /** A call that fails after the file was replaced leaves the new state to the next start. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void whatCanNotBeWrittenIsTakenBackInTheFileToo(int goodCalls) throws Exception {
    MoveStates states = open();
    set(states, NODES);
    disk.failAfter(goodCalls, 1, "Input/output error");
    assertThatThrownBy(() -> set(states, PODS)).isInstanceOf(IOException.class);
    assertThat(states.isUnsure()).isTrue();
    states.set(PODS.prefix(), Optional.empty());
    assertThat(states.isUnsure()).isFalse();
    disk.restart(true);
    assertThat(open().all()).containsExactly(NODES);
  }

  @Test
  void whatIsShownIsWrittenAgainUntilThatSucceeds() throws Exception {
    MoveStates states = open();
    set(states, NODES);
    disk.failAfter(5, 2, "Input/output error");
    assertThatThrownBy(() -> set(states, PODS)).isInstanceOf(IOException.class);
    assertThat(MoveStates.open(disk.copy(), ids).all()).as("it was replaced").contains(PODS);
    assertThatThrownBy(states::makeSure).isInstanceOf(IOException.class);
    states.makeSure();
    disk.restart(true);
    assertThat(open().all()).containsExactly(NODES);
  }

  @Test
  void prefixesDoNotOverlap() throws Exception {
    MoveStates states = open();
    set(states, PODS);
    for (String prefix : List.of("/registry/", "/registry/pods/kube-system/")) {
      assertThatThrownBy(() -> set(states, new Move(prefix, "c", State.Frozen, 1)))
          .isInstanceOfSatisfying(MoveException.class, e -> assertThat(e.status()).isEqualTo(409))
          .hasMessageContaining(prefix)
          .hasMessageContaining(PODS.prefix());
    }
    set(states, new Move("/registry/podtemplates/", "c", State.Frozen, 1));
  }

  @Test
  void everyDamagedByteIsFoundAndARepairPutsTheFileAside() throws Exception {
    set(open(), PODS);
    byte[] whole = disk.bytes(MovesFile.FILE).clone();
    for (int at = 0; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      disk.replace(MovesFile.FILE, damaged);
      try {
        // What fills a frame up to eight bytes says nothing.
        assertThat(open().all()).as("byte %d", at).containsExactly(PODS);
        assertThat(damaged[at]).isEqualTo((byte) 0x10);
      } catch (CorruptJournalException e) {
        assertThat(e)
            .hasMessageContaining("moves is damaged at byte")
            .hasMessageContaining("store restore")
            .hasMessageContaining("--repair");
      }
    }
    byte[] cut = new byte[10];
    disk.replace(MovesFile.FILE, cut);
    assertThatThrownBy(this::open).isInstanceOf(CorruptJournalException.class);
    List<String> told = RepairTest.repair(disk, KeyClasses::plain);
    assertThat(told.getFirst()).contains("moves is damaged");
    assertThat(disk.bytes(MovesFile.FILE + Repair.ASIDE)).isEqualTo(cut);
    assertThat(open().all()).isEmpty();
  }

  @Test
  void aLaterFormIsTold() throws Exception {
    new MovesFile(disk, ids).write(new byte[] {9});
    assertThatThrownBy(this::open)
        .isInstanceOf(CorruptJournalException.class)
        .hasMessageContaining("the form 9")
        .hasMessageContaining("start the version");
  }

  @Test
  void aLaterStateIsTold() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(1);
    out.writeInt(1);
    out.writeUTF("/registry/pods/");
    out.writeUTF("a.1");
    out.writeUTF("Elsewhere");
    out.writeLong(5);
    new MovesFile(disk, ids).write(bytes.toByteArray());
    assertThatThrownBy(this::open)
        .isInstanceOf(CorruptJournalException.class)
        .hasMessageContaining("the state 'Elsewhere'")
        .hasMessageContaining("start the version");
  }

  @Test
  void thereIsABoundOfMoves() throws Exception {
    MoveStates states = MoveStates.inMemory();
    for (int i = 0; i < 1024; i++) {
      set(states, new Move("/registry/%d/".formatted(i), "a", State.Arrived, 5));
    }
    assertThatThrownBy(() -> set(states, PODS))
        .isInstanceOf(MoveException.class)
        .hasMessageContainingAll("'/registry/pods/'", "1024 at most", "another store");
  }

  @Test
  void theFileOfAnotherStoreIsRefused() throws Exception {
    WrittenHistory history = new WrittenHistory(5, KeyClasses::plain);
    SimulatedStorage disk = history.disk;
    MemberIds own = MemberIds.of(disk, new Random(5)::nextLong);
    history.write(5, true);
    set(MoveStates.open(disk, own), PODS);
    try (Life _ = new Life(disk, KeyClasses.plain(), 0)) {
      assertThat(MoveStates.open(disk, own).all()).containsExactly(PODS);
    }
    set(MoveStates.open(disk, new MemberIds(own.clusterId() + 1, 1)), NODES);
    assertThatThrownBy(() -> new Life(disk, KeyClasses.plain(), 0))
        .isInstanceOf(CorruptJournalException.class)
        .hasMessageContaining("moves: the file belongs to another store");
    List<String> told = RepairTest.repair(disk, KeyClasses::plain);
    assertThat(told.getFirst()).contains("moves: the file belongs to another store");
    try (Life _ = new Life(disk, KeyClasses.plain(), 0)) {
      assertThat(MoveStates.open(disk, own).all()).isEmpty();
    }
  }
}
