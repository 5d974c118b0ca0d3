// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.api.SimulatedStore;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.SimulatedStorage;
import io.exaplane.store.wire.GrpcListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a store does when, turn by turn. */
class WriterAndWatchesTest {
  private static final int LOOP = 0;

  private static final long RECORD_BYTES = 20_000;

  private final Random random = new Random(1);
  private SimulatedStore store;

  @BeforeEach
  void start() throws Exception {
    store =
        new SimulatedStore(
            new SimulatedStorage(random),
            KeyClasses.plain(),
            SpaceLimits.of(RECORD_BYTES, Long.MAX_VALUE, 0),
            () -> 1_000_000,
            random);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Op send(Op op) {
    SimulatedCall call = new SimulatedCall(store.loop(LOOP), _ -> {}, e -> op.error = e);
    byte[] request = op.encode();
    store.method(op.kind.path).open(call, store.lane(LOOP)).message(request, 0, request.length);
    return op;
  }

  /** The writer and the event loop do all there is to do. */
  private void rest() {
    for (int turn = 0; turn < 20; turn++) {
      store.turn();
      store.runToEnd(LOOP);
    }
  }

  private boolean isTaken(Op op) {
    send(op);
    rest();
    return op.error == null;
  }

  private boolean isPut(int number) {
    return isTaken(new Op(Op.Kind.PUT, List.of("/" + number), "", "v".repeat(500), 0, 0, 0));
  }

  private void delete(int from, int to) {
    assertThat(isTaken(new Op(Op.Kind.DELETE, List.of("/" + from), "/" + to, "", 0, 0, 0)))
        .isTrue();
  }

  private void compact() {
    assertThat(isTaken(new Op(Op.Kind.COMPACT, List.of(""), "", "", 0, store.revision(), 0)))
        .isTrue();
  }

  /** Keys from /100 on; a snapshot that the journal wanted meanwhile is begun, and not written. */
  private void fill() {
    int number = 100;
    while (isPut(number)) {
      number++;
    }
    assertThat(number).isGreaterThan(120);
  }

  private void put(String... keys) {
    send(new Op(Op.Kind.MULTI, List.of(keys), "", "value", 0, 0, 0));
  }

  private static List<Integer> eventCounts(Follower follower) {
    return follower.log.stream()
        .filter(response -> !response.created())
        .map(response -> response.events().size())
        .toList();
  }

  @Test
  void eventsThatFollowSoonAreHandedOutTogether() {
    Network network = new Network(store, LOOP, random, null, () -> {}, () -> 0);
    Follower all = new Follower("\0", "\0", false, false, 1, 0);
    network.watch(all);
    put("/a");
    store.turn();
    store.run(LOOP);
    assertThat(eventCounts(all)).as("the first one at once").containsExactly(1);

    for (int i = 0; i < 2; i++) {
      put("/a");
      store.turn();
      store.run(LOOP);
    }
    assertThat(eventCounts(all)).as("others wait").containsExactly(1);
    store.runToEnd(LOOP);
    assertThat(eventCounts(all)).containsExactly(1, 2);
  }

  @Test
  void whoAsksForProgressHasWhatWaits() {
    Network network = new Network(store, LOOP, random, null, () -> {}, () -> 0);
    Follower all = new Follower("\0", "\0", false, false, 1, 0);
    network.watch(all);
    for (int i = 0; i < 2; i++) {
      put("/a");
      store.turn();
      store.run(LOOP);
    }
    network.askForProgress();
    assertThat(eventCounts(all)).as("two events, then progress").containsExactly(1, 1, 0);
  }

  /** As etcd: there is no watch that anything could be told of. */
  @Test
  void whoHasNoWatchIsToldNothing() {
    List<byte[]> told = new ArrayList<>();
    GrpcListener stream =
        store
            .method("/etcdserverpb.Watch/Watch")
            .open(
                new SimulatedCall(
                    store.loop(LOOP), told::add, e -> told.add(e.getMessage().getBytes(UTF_8))),
                store.lane(LOOP));
    byte[] progress = {0x1a, 0};
    stream.message(progress, 0, progress.length);
    store.runToEnd(LOOP);
    assertThat(told).isEmpty();
  }

  @Test
  void aFullStoreThatIsCompactedAtItsNewestRevisionTakesWritesAgain() {
    fill();
    store.snapshot();
    delete(100, 999);
    store.snapshot(); // none is under way that would hold up what could go
    long last = store.revision();
    compact();
    assertThat(isPut(100)).isTrue();
    assertThat(store.revision()).as("one without a change between them").isEqualTo(last + 2);
  }

  @Test
  void itWaitsForWhoReadsBeforeItGoesOnByARevision() {
    fill();
    delete(100, 115);
    delete(115, 117);
    long last = store.revision();
    compact();
    assertThat(isPut(100)).as("a snapshot holds up what could go").isFalse();
    assertThat(store.revision()).isEqualTo(last);
    store.snapshot();
    rest();
    assertThat(isPut(100)).isTrue();
    assertThat(store.revision()).as("cleaning was enough").isEqualTo(last + 1);
  }

  @Test
  void cleaningKeepsUpWithWhateverATurnChanges() {
    int turns = 60;
    int requests = 8;
    String[] keys = IntStream.range(100, 200).mapToObj(i -> "/" + i).toArray(String[]::new);
    for (int turn = 0; turn < turns; turn++) {
      send(new Op(Op.Kind.COMPACT, List.of(""), "", "", 0, store.revision(), 0));
      for (int i = 0; i < requests; i++) {
        put(keys);
      }
      store.turn();
      store.snapshot();
      store.runToEnd(LOOP);
    }
    assertThat(store.keptEvents()).isLessThan(5L * requests * keys.length);
  }
}
