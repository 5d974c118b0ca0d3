// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.api.MoveWriter;
import io.exaplane.store.api.MoveWriter.Change;
import io.exaplane.store.api.SimulatedStore;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import io.exaplane.store.journal.SimulatedStorage;
import io.exaplane.store.move.Move;
import io.exaplane.store.move.Move.State;
import io.exaplane.store.move.MoveException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a store does while Kinds leave it and come to it, turn by turn. Longer than others: each
 * test tells one history of the same store.
 */
class MovesTest {
  private static final int LOOP = 0;
  private static final String PREFIX = "/b/";
  private static final String ID = "move-1";
  private static final Consumer<Optional<Move>> ANY = _ -> {};

  private final Random random = new Random(1);
  private final SimulatedStorage storage = new SimulatedStorage(random);

  /** Each start counts from nothing. */
  private Supplier<KeyClasses> classes = KeyClasses::plain;

  private SpaceLimits limits = SpaceLimits.NONE;
  private SimulatedStore store;
  private SimulatedCall last;

  @BeforeEach
  void start() throws Exception {
    store = new SimulatedStore(storage, classes.get(), limits, () -> 1_000_000, random);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void restart() throws Exception {
    store.close();
    storage.restart(true);
    start();
  }

  private MoveWriter moves() {
    return store.moves();
  }

  private Op send(Op op) {
    Answers answers = new Answers(op, new Requests.Known(), null);
    last = new SimulatedCall(store.loop(LOOP), answers::take, answers::failed);
    byte[] request = op.encode();
    store.method(op.kind.path).open(last, store.lane(LOOP)).message(request, 0, request.length);
    return op;
  }

  /** The writer and the event loop do all there is to do; no time passes. */
  private void rest() {
    for (int turn = 0; turn < 20; turn++) {
      store.turn();
      store.runToEnd(LOOP);
      store.runToEnd(1);
    }
  }

  private Op done(Op op) {
    send(op);
    rest();
    return op;
  }

  private static Op put(String key) {
    return new Op(Op.Kind.PUT, List.of(key), "", "value", 0, 0, 0);
  }

  private static Op get(String key) {
    return new Op(Op.Kind.RANGE, List.of(key), "", "", 0, 0, 0);
  }

  private static Op list(String from, String end) {
    return new Op(Op.Kind.RANGE, List.of(from), end, "", 0, 0, 0);
  }

  private <T> T result(CompletableFuture<T> future) {
    rest();
    assertThat(future).isDone();
    return future.join();
  }

  private int status(CompletableFuture<?> future) {
    rest();
    assertThat(future).isCompletedExceptionally();
    Throwable why = future.exceptionNow();
    Throwable cause = why instanceof CompletionException ? why.getCause() : why;
    assertThat(cause).isInstanceOf(MoveException.class);
    return ((MoveException) cause).status();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Change change(String key, String value) {
    return new Change(bytes(key), value == null ? null : bytes(value));
  }

  @Test
  void nothingThatWasQueuedBeforeSlipsThroughAFreeze() {
    done(put("/b/1"));
    CompletableFuture<Long> frozen = null;
    Op[] ops = new Op[6];
    for (int i = 0; i < ops.length; i++) {
      if (i == 3) {
        frozen = moves().freeze(PREFIX, ID);
      }
      ops[i] = send(put("/b/" + i));
    }
    long revision = result(frozen);
    store.advance(100);
    for (Op op : ops) {
      assertThat(op.isDone()).isTrue();
      assertThat(op.answer == null || op.answer.revision <= revision).as(op.toString()).isTrue();
    }
    assertThat(ops[5].error).isSameAs(StoreException.MOVING);
    assertThat(done(get("/b/1")).error).as("it is read").isNull();
    assertThat(done(put("/c/1")).error).as("others are written").isNull();
    assertThat(result(moves().freeze(PREFIX, ID))).as("again").isEqualTo(revision);
    assertThat(status(moves().freeze(PREFIX, "other"))).isEqualTo(409);
    assertThat(status(moves().thaw(PREFIX, "other"))).isEqualTo(409);

    result(moves().thaw(PREFIX, ID));
    assertThat(done(put("/b/1")).error).isNull();
    result(moves().thaw(PREFIX, ID));
    assertThat(status(moves().leave(PREFIX, ID, revision))).as("it is not frozen").isEqualTo(404);
  }

  @Test
  void aRefusalTakesATenthOfASecond() {
    result(moves().freeze(PREFIX, ID));
    Op op = done(put("/b/1"));
    assertThat(op.isDone()).isFalse();
    store.advance(90);
    assertThat(op.isDone()).isFalse();
    store.advance(10);
    assertThat(op.error).isSameAs(StoreException.MOVING);
    assertThat(last.hasLeft).as("the Kind may come back").isFalse();
  }

  @Test
  void whatIsFrozenOrLeftIsSoAfterARestart() throws Exception {
    done(put("/b/1"));
    long revision = result(moves().freeze(PREFIX, ID));
    restart();
    assertThat(result(moves().freeze(PREFIX, ID))).isEqualTo(revision);
    done(put("/b/2"));
    store.advance(100);
    result(moves().leave(PREFIX, ID, revision));
    restart();
    Op op = done(get("/b/1"));
    store.advance(100);
    assertThat(op.error).isSameAs(StoreException.MOVED);
    assertThat(last.hasLeft).isTrue();
    assertThat(moves().states().all()).containsExactly(new Move(PREFIX, ID, State.Left, revision));
  }

  /** Late copies of requests to thaw and to freeze may let a write in that was not compared. */
  @Test
  void onlyWhatWasComparedLeaves() throws Exception {
    long compared = result(moves().freeze(PREFIX, ID));
    result(moves().thaw(PREFIX, ID));
    assertThat(done(put("/b/1")).error).isNull();
    long frozen = result(moves().freeze(PREFIX, ID));
    assertThat(frozen).isGreaterThan(compared);
    assertThat(status(moves().leave(PREFIX, ID, compared))).isEqualTo(409);
    restart();
    assertThat(moves().states().all()).containsExactly(new Move(PREFIX, ID, State.Frozen, frozen));
    result(moves().leave(PREFIX, ID, frozen));
    result(moves().leave(PREFIX, ID, frozen));
    assertThat(status(moves().leave(PREFIX, ID, compared))).as("left").isEqualTo(409);
  }

  @Test
  void watchesHaveEverythingWhenTheKindLeaves() {
    Network below = new Network(store, 1, random, null, () -> {}, () -> 0);
    Network beside = new Network(store, 1, random, null, () -> {}, () -> 0);
    Follower pods = new Follower(PREFIX, "/b0", false, false, 1, 0);
    Follower other = new Follower("/c/1", "", false, false, 2, 0);
    Follower all = new Follower("\0", "\0", false, false, 3, 0);
    below.watch(pods);
    below.watch(other);
    beside.watch(all);
    rest();
    send(put("/b/1"));
    store.turn();
    store.run(1);
    assertThat(pods.seen).isEqualTo(store.revision());
    send(put("/b/2")); // so soon after the other that its event waits for more
    store.turn();
    CompletableFuture<Long> frozen = moves().freeze(PREFIX, ID);
    CompletableFuture<Void> left = moves().leave(PREFIX, ID, store.revision());
    store.turn();
    assertThat(frozen).isCompletedWithValue(store.revision());
    store.turn();
    assertThat(below.call.isOpen()).isTrue();
    assertThat(left).as("watches end first").isNotDone();
    store.run(1);
    result(left);
    assertThat(pods.seen).isEqualTo(store.revision());
    assertThat(below.call.isOpen()).isFalse();
    assertThat(below.call.hasLeft).isTrue();
    assertThat(beside.call.isOpen()).as("who watches more goes on").isTrue();
    assertThat(beside.call.hasLeft).isFalse();
    result(moves().leave(PREFIX, ID, store.revision()));
    assertThat(status(moves().leave(PREFIX, "other", store.revision()))).isEqualTo(409);
    assertThat(status(moves().leave(PREFIX, ID, store.revision() - 1))).isEqualTo(409);
    assertThat(status(moves().thaw(PREFIX, ID))).isEqualTo(409);
  }

  @Test
  void whoWatchesOrReadsWhatLeftIsRefused() {
    done(put("/b/1"));
    result(moves().leave(PREFIX, ID, result(moves().freeze(PREFIX, ID))));
    Network network = new Network(store, LOOP, random, null, () -> {}, () -> 0);
    network.watch(new Follower("/b/1", "", false, false, 1, 0));
    network.watch(new Follower("/b/2", "", false, false, 2, 0));
    Op get = done(get("/b/1"));
    Op stream = done(new Op(Op.Kind.STREAM, List.of(PREFIX), "/b0", "", 0, 0, 0));
    Op deletion = done(new Op(Op.Kind.DELETE, List.of("/"), "0", "", 0, 0, 0));
    assertThat(network.call.isOpen()).isTrue();
    store.advance(100);
    assertThat(network.call.isOpen()).isFalse();
    assertThat(network.call.hasLeft).isTrue();
    assertThat(List.of(get.error, stream.error, deletion.error)).containsOnly(StoreException.MOVED);
    assertThat(done(list("\0", "\0")).answer.kvs).as("wider reads are served").hasSize(1);
  }

  @Test
  void whatArrivesIsWrittenPastTheGate() throws Exception {
    long base = result(moves().raise(5_000_000_000L));
    assertThat(base).isEqualTo(5_000_000_000L);
    result(moves().change(PREFIX, _ -> Optional.of(new Move(PREFIX, ID, State.Arriving, base))));
    List<Change> page = List.of(change("/b/1", "x"), change("/b/2", "y"), change("/b/1", "z"));
    assertThat(result(moves().write(PREFIX, ANY, page))).as("one revision").isEqualTo(base + 1);
    assertThat(
            result(moves().write(PREFIX, ANY, List.of(change("/b/2", null), change("/b/9", null)))))
        .isEqualTo(base + 2);
    assertThat(
            status(
                moves()
                    .write(
                        PREFIX,
                        _ -> {
                          throw new MoveException(409, "no");
                        },
                        List.of(change("/b/3", "x")))))
        .isEqualTo(409);
    Op refused = done(get("/b/1"));
    store.advance(100);
    assertThat(refused.error).isSameAs(StoreException.MOVING);
    restart();
    result(moves().change(PREFIX, move -> Optional.of(arrived(move.get()))));
    Op op = done(list(PREFIX, "/b0"));
    assertThat(op.answer.kvs).containsExactly(new Kv("/b/1", "z", base + 1, base + 1, 1, 0));
    assertThat(done(put("/b/4")).answer.revision).isEqualTo(base + 3);
    done(put("/b/5"));
    byte[] last = result(moves().deleteNext(PREFIX, bytes(""), ANY, 1)).orElseThrow();
    assertThat(last).isEqualTo(bytes("/b/1"));
    assertThat(result(moves().deleteNext(PREFIX, bytes("/b/4"), ANY, 5)))
        .as("goes on behind that key, and finds no more")
        .isEmpty();
    assertThat(done(list(PREFIX, "/b0")).answer.kvs).extracting(Kv::key).containsExactly("/b/4");
    result(moves().deleteNext(PREFIX, last, ANY, 5));
    assertThat(done(list(PREFIX, "/b0")).answer.count).isZero();
  }

  private static Move arrived(Move from) {
    return new Move(from.prefix(), from.id(), State.Arrived, from.revision());
  }

  @Test
  void whoComesBackWithAnEarlierRevisionIsToldToReadAgain() throws Exception {
    long seen = done(put("/b/1")).answer.revision;
    long raised = result(moves().raise(seen + 1_000));
    assertThat(raised).isEqualTo(seen + 1_000);
    for (int life = 0; life < 2; life++) {
      Network network = new Network(store, LOOP, random, null, () -> {}, () -> 0);
      Follower follower = new Follower("/b/1", "", false, false, 1, raised - 1);
      network.watch(follower);
      rest();
      assertThat(follower.ended).isTrue();
      assertThat(follower.log.getLast().compactRevision()).isEqualTo(raised);
      Op past = done(new Op(Op.Kind.RANGE, List.of("/b/1"), "", "", 0, raised - 1, 0));
      assertThat(past.error).isSameAs(StoreException.COMPACTED);
      assertThat(done(get("/b/1")).answer.revision).isEqualTo(raised);
      restart();
    }
    assertThat(result(moves().raise(seen))).as("never lower").isEqualTo(raised);
    assertThat(done(put("/b/1")).answer.revision).isEqualTo(raised + 1);
    assertThat(status(moves().raise(Long.MAX_VALUE))).isEqualTo(400);
  }

  @Test
  void watchesThatKeepUpGoOnOverARaise() {
    Network network = new Network(store, LOOP, random, null, () -> {}, () -> 0);
    Follower all = new Follower("\0", "\0", true, false, 1, 0);
    network.watch(all);
    done(put("/c/1"));
    long raised = result(moves().raise(1_000_000));
    done(put("/c/1"));
    assertThat(all.ended).isFalse();
    assertThat(all.seen).isEqualTo(raised + 1);
    assertThat(all.log.getLast().events().getFirst().before().value()).isEqualTo("value");
  }

  @Test
  void aRaiseIsAboveWhatAStoreWithWeakerPrefixesReserves() throws Exception {
    classes =
        () ->
            new KeyClasses(
                List.of(new PrefixRule("/a/", 0, Durability.MEMORY, 0)), Durability.FSYNC);
    restart();
    done(put("/a/1"));
    done(put("/c/1"));
    long raised = result(moves().raise(store.revision() + 1_000_000_000L));
    done(put("/c/1"));
    restart();
    assertThat(store.revision()).as("above what it may have shown").isGreaterThan(raised + 1);
    Op past = done(new Op(Op.Kind.RANGE, List.of("/c/1"), "", "", 0, raised, 0));
    assertThat(past.answer.kvs).as("what is durable has its history").hasSize(1);
    Op lost = done(new Op(Op.Kind.RANGE, List.of("/a/1"), "", "", 0, raised, 0));
    assertThat(lost.error).isSameAs(StoreException.COMPACTED);
  }

  @Test
  void aFullStoreTakesNoMoreKeys() throws Exception {
    limits = SpaceLimits.of(20_000, Long.MAX_VALUE, 0);
    restart();
    CompletableFuture<Long> written = null;
    int number = 100;
    do {
      written = moves().write(PREFIX, ANY, List.of(change("/b/" + number++, "v".repeat(500))));
      rest();
    } while (!written.isCompletedExceptionally());
    assertThat(number).isGreaterThan(120);
    assertThat(status(written)).isEqualTo(507);
    result(moves().write(PREFIX, ANY, List.of(change("/b/100", null))));
  }

  /**
   * What a kube-apiserver loads is many times the bytes, so that a page may be all of the limit.
   */
  @Test
  void keysThatLoadMoreThanThereIsRoomForAreRefused() throws Exception {
    limits = SpaceLimits.NONE.withLoad(500_000);
    restart();
    String maps = "{\"a\":[" + "{\"b\":0},".repeat(900) + "0]}";
    Change first = change("/b/1", maps);
    result(moves().write(PREFIX, ANY, List.of(first)));
    assertThat(status(moves().write(PREFIX, ANY, List.of(change("/b/2", maps))))).isEqualTo(507);
    result(moves().write(PREFIX, ANY, List.of(first)));
    assertThat(done(get("/b/2")).answer.kvs).isEmpty();
  }

  @Test
  void whatIsLargerThanARequestIsRefused() {
    List<Change> changes = List.of(new Change(bytes("/b/1"), new byte[2 << 20]));
    assertThat(status(moves().write(PREFIX, ANY, changes))).isEqualTo(413);
    assertThat(done(get("/b/1")).answer.kvs).isEmpty();
    List<Change> many = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      many.add(new Change(bytes("/b/" + i), new byte[1_000_000]));
    }
    assertThat(status(moves().write(PREFIX, ANY, many))).as("of no store").isEqualTo(413);
  }

  /** A store takes a revision of another one, which lets clients write more at once. */
  @Test
  void manyKeysAreTakenThatNoClientMayWriteAtOnce() throws Exception {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      changes.add(new Change(bytes("/b/" + i), new byte[3_000]));
    }
    limits = SpaceLimits.of(2_000_000, Long.MAX_VALUE, 1 << 20);
    restart();
    assertThat(status(moves().write(PREFIX, ANY, changes))).as("no room").isEqualTo(507);
    limits = SpaceLimits.NONE;
    restart();
    result(moves().write(PREFIX, ANY, changes));
    assertThat(done(list(PREFIX, "/b0")).answer.kvs).hasSize(1_000);
  }

  @Test
  void aStateThatCanNotBeWrittenIsRefused() {
    storage.refuse(1);
    assertThat(status(moves().freeze(PREFIX, ID))).isEqualTo(503);
    assertThat(done(put("/b/1")).error).isNull();
    result(moves().freeze(PREFIX, ID));
  }

  /** The file was replaced, and its folder not forced: a restart would find the state. */
  private void failAfterTheRename() {
    storage.failAfter(4, 1, "Input/output error");
  }

  @Test
  void aFreezeThatFailedIsThawedInTheFileToo() throws Exception {
    failAfterTheRename();
    assertThat(status(moves().freeze(PREFIX, ID))).isEqualTo(503);
    assertThat(moves().states().all()).isEmpty();
    result(moves().thaw(PREFIX, ID));
    restart();
    assertThat(moves().states().all()).isEmpty();
  }

  @Test
  void aFreezeThatFailedIsTakenBackWhenSomebodyLooks() throws Exception {
    failAfterTheRename();
    assertThat(status(moves().freeze(PREFIX, ID))).isEqualTo(503);
    assertThat(result(store.storeMoves().all())).isEmpty();
    restart();
    assertThat(moves().states().all()).isEmpty();
  }

  @Test
  void aFreezeThatIsAskedForAgainIsDurable() throws Exception {
    long frozen = result(moves().freeze(PREFIX, ID));
    failAfterTheRename();
    assertThat(status(moves().thaw(PREFIX, ID))).isEqualTo(503);
    assertThat(result(moves().freeze(PREFIX, ID))).isEqualTo(frozen);
    restart();
    assertThat(moves().states().all()).containsExactly(new Move(PREFIX, ID, State.Frozen, frozen));
  }

  @Test
  void tooManyAtOnceAreRefused() {
    CompletableFuture<?> last = null;
    for (int i = 0; i < 65; i++) {
      last = moves().freeze(PREFIX, ID);
    }
    assertThat(status(last)).isEqualTo(503);
  }
}
