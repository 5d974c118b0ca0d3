// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import io.exaplane.store.api.simulation.SimulatedCall;
import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.request.Slice;
import io.exaplane.store.core.result.RangeResult;
import io.exaplane.store.journal.SimulatedStorage;
import io.exaplane.store.wire.GrpcListener;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers that are larger than a portion: they come in pieces, or are refused before a change. */
class LargeAnswersTest {
  private static final int LOOP = 0;

  /** More than {@link Portion#keys} of a simulated store, by far. */
  private static final int KEYS = 200;

  private final Random random = new Random(1);
  private final List<byte[]> answers = new ArrayList<>();
  private final List<StoreException> failures = new ArrayList<>();
  private SimulatedStore store;
  private SimulatedCall call;

  @BeforeEach
  void start() throws Exception {
    store =
        new SimulatedStore(
            new SimulatedStorage(random), KeyClasses.plain(), () -> 1_000_000, random);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private GrpcListener send(String method, ReverseWriter request) {
    call = new SimulatedCall(store.loop(LOOP), answers::add, failures::add);
    GrpcListener listener = store.method(method).open(call, store.lane(LOOP));
    listener.message(request.array(), request.start(), request.length());
    return listener;
  }

  private void rest() {
    for (int turn = 0; turn < 20; turn++) {
      store.turn();
      store.runToEnd(LOOP);
    }
  }

  private static void text(ReverseWriter out, int field, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    out.bytes(field, bytes, 0, bytes.length);
  }

  private void put(String key, String value) {
    ReverseWriter put = new ReverseWriter();
    text(put, 2, value);
    text(put, 1, key);
    send("/etcdserverpb.KV/Put", put);
  }

  private void fill(int keys, int valueBytes) {
    for (int i = 0; i < keys; i++) {
      put("/k/%05d".formatted(i), "v".repeat(1 + random.nextInt(valueBytes)));
      if (i % 100 == 0) {
        rest();
      }
    }
    rest();
    answers.clear();
  }

  static LongStream seeds() {
    return Seeds.of(40);
  }

  private static ReverseWriter encoded(RangeRequest request) {
    ReverseWriter out = new ReverseWriter();
    out.number(13, request.maxCreateRevision);
    out.number(12, request.minCreateRevision);
    out.number(11, request.maxModRevision);
    out.number(10, request.minModRevision);
    out.flag(8, request.keysOnly);
    out.number(6, request.sortTarget);
    out.number(5, request.sortOrder);
    out.number(4, request.revision);
    out.number(3, request.limit);
    text(out, 2, "/l");
    text(out, 1, "/k");
    return out;
  }

  private RangeRequest request(Random seeded) {
    RangeRequest request = new RangeRequest();
    request.key.set("/k".getBytes(StandardCharsets.UTF_8));
    request.rangeEnd.set("/l".getBytes(StandardCharsets.UTF_8));
    request.limit = seeded.nextInt(3) == 0 ? 0 : seeded.nextInt(KEYS + 10);
    request.revision = seeded.nextInt(3) == 0 ? KEYS / 2 + seeded.nextInt(KEYS) : 0;
    request.sortOrder = seeded.nextInt(3);
    request.sortTarget = seeded.nextInt(5);
    request.keysOnly = seeded.nextInt(4) == 0;
    if (seeded.nextInt(2) == 0) {
      request.minModRevision = seeded.nextInt(2 * KEYS);
      request.maxCreateRevision = seeded.nextInt(2 * KEYS);
    }
    return request;
  }

  /** While others write; what it should have been is made at once, before. */
  @ParameterizedTest
  @MethodSource("seeds")
  void aRangeInPiecesIsTheOneThatIsMadeAtOnce(long seed) {
    Random seeded = new Random(seed);
    fill(KEYS, 60);
    for (int i = 0; i < KEYS; i++) {
      put("/k/%05d".formatted(seeded.nextInt(KEYS)), "w".repeat(1 + seeded.nextInt(90)));
    }
    rest();
    for (int i = 0; i < 10; i++) {
      RangeRequest request = request(seeded);
      Lane lane = store.lane(LOOP);
      RangeResult whole = new RangeResult();
      lane.ranges.execute(lane.keyspace.view(), request, whole);
      ReverseWriter expected = new ReverseWriter();
      lane.codec.range(expected, whole);
      answers.clear();
      send("/etcdserverpb.KV/Range", encoded(request));
      List<byte[]> answer = new ArrayList<>(answers);
      answers.clear();
      put("/k/%05d".formatted(seeded.nextInt(KEYS)), "x");
      rest();
      answer.addAll(answers.stream().filter(each -> each.length > 40).toList());
      assertThat(failures).isEmpty();
      assertThat(expected.length() <= 40 || answer.getLast().length == expected.length()).isTrue();
      if (expected.length() > 40) {
        assertThat(answer.getLast()).as("seed %d, request %d", seed, i).isEqualTo(expected.copy());
      }
    }
    assertThat(store.lane(LOOP).answers.takenBytes()).isZero();
  }

  /** A Txn with a deletion, and then an operation of a field of RequestOp. */
  private static ReverseWriter txn(int operation, ReverseWriter last) {
    ReverseWriter txn = new ReverseWriter();
    int mark = txn.length();
    int inner = txn.length();
    byte[] bytes = last.copy();
    txn.bytes(operation, bytes, 0, bytes.length);
    txn.message(2, inner);
    inner = txn.length();
    ReverseWriter delete = range("/k/00000", "");
    txn.bytes(3, delete.copy(), 0, delete.length());
    txn.message(2, inner);
    assertThat(txn.length()).isGreaterThan(mark);
    return txn;
  }

  private static ReverseWriter range(String key, String end) {
    ReverseWriter out = new ReverseWriter();
    text(out, 2, end);
    text(out, 1, key);
    return out;
  }

  private static ReverseWriter deletion(String key, String end) {
    ReverseWriter out = new ReverseWriter();
    out.flag(3, true);
    text(out, 2, end);
    text(out, 1, key);
    return out;
  }

  @Test
  void whatHasNoRoomIsRefusedBeforeItChangesAnything() {
    fill(5000, 600);
    long before = store.revision();
    ReverseWriter nested = txn(1, range("/k", "/l"));
    List<ReverseWriter> txns =
        List.of(txn(1, range("/k", "/l")), txn(3, deletion("/k/00001", "/l")), txn(4, nested));
    for (ReverseWriter each : txns) {
      send("/etcdserverpb.KV/Txn", each);
      rest();
    }
    send("/etcdserverpb.KV/DeleteRange", deletion("/k", "/l"));
    rest();
    assertThat(failures).hasSize(4);
    assertThat(failures)
        .allSatisfy(
            each -> {
              assertThat(each.code()).isEqualTo(StoreException.Code.RESOURCE_EXHAUSTED);
              assertThat(each).hasMessageContaining("larger than max");
            });
    assertThat(store.revision()).isEqualTo(before);
    assertThat(answers).isEmpty();
    assertThat(store.lane(LOOP).answers.takenBytes()).isZero();
  }

  @Test
  void aLargeAnswerOfTheWriterGoesOutAsItIsTakenAndGivesItsRoomBack() {
    fill(1000, 500);
    GrpcListener listener = send("/etcdserverpb.KV/Txn", txn(1, range("/k", "/l")));
    call.writable(false);
    rest();
    AnswerBudget budget = store.lane(LOOP).answers;
    assertThat(answers).isEmpty();
    assertThat(budget.takenBytes()).isGreaterThan(200_000);
    call.writable(true);
    listener.writable();
    rest();
    assertThat(answers)
        .singleElement()
        .satisfies(all -> assertThat(all.length).isGreaterThan(200_000));
    assertThat(budget.takenBytes()).isZero();
  }

  @Test
  void aClientThatTakesNothingLosesItsAnswer() {
    fill(1000, 500);
    send("/etcdserverpb.KV/Txn", txn(1, range("/k", "/l")));
    call.writable(false);
    rest();
    store.advance(40_000);
    rest();
    assertThat(failures).containsExactly(StoreException.SLOW_READER);
    assertThat(store.lane(LOOP).answers.takenBytes()).isZero();
  }

  private void watch(GrpcListener stream, long id) {
    ReverseWriter create = new ReverseWriter();
    create.number(7, id);
    create.flag(6, true);
    text(create, 2, "/l");
    text(create, 1, "/k");
    create.message(1, 0);
    stream.message(create.array(), create.start(), create.length());
  }

  /** Watch id, events, those with a version before. */
  private static List<Long> counts(byte[] response) {
    ProtoReader in = new ProtoReader().open(response, 0, response.length);
    long id = 0;
    long events = 0;
    long before = 0;
    for (int field = in.field(); field != 0; field = in.field()) {
      if (field == 2) {
        id = in.number();
      } else if (field == 11) {
        events++;
        int outer = in.enter();
        for (int inner = in.field(); inner != 0; inner = in.field()) {
          before += inner == 3 ? 1 : 0;
          if (inner == 1) {
            in.number();
          } else {
            in.bytes(new Slice());
          }
        }
        in.leave(outer);
      } else {
        in.skip();
      }
    }
    return List.of(id, events, before);
  }

  @Test
  void aRevisionOfManyDeletionsReachesAllWatchersOfAStreamWhole() {
    fill(5000, 100);
    List<List<Long>> seen = new ArrayList<>();
    SimulatedCall watching =
        new SimulatedCall(store.loop(LOOP), response -> seen.add(counts(response)), failures::add);
    GrpcListener stream =
        store.method("/etcdserverpb.Watch/Watch").open(watching, store.lane(LOOP));
    watch(stream, 7);
    watch(stream, 8);
    ReverseWriter deletion = range("/k", "/l");
    send("/etcdserverpb.KV/DeleteRange", deletion);
    store.turn();
    store.run(LOOP);
    put("/k/after", "v"); // while they are sent
    watch(stream, 9);
    rest();
    assertThat(failures).isEmpty();
    for (long id : new long[] {7, 8}) {
      List<List<Long>> ofWatch =
          seen.stream().filter(each -> each.getFirst() == id && each.get(1) > 0).toList();
      assertThat(ofWatch).containsExactly(List.of(id, 5000L, 5000L), List.of(id, 1L, 0L));
    }
  }
}
