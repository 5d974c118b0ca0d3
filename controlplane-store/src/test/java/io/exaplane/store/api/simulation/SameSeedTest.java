// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.api.SimulatedStore;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.SimulatedStorage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same requests in the same order, with the same seed, make the same bytes: each answer, each
 * event of a watch, each file of the journal, each snapshot. So a history that failed can be run
 * again, and a second store that gets the same commands is the same store.
 */
class SameSeedTest {
  private static final int OPERATIONS = 600;

  /**
   * @param answers each message, and each refusal, in their order
   * @param files of the disk
   */
  private record Outcome(List<String> answers, Map<String, String> files) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void makesTheSameBytes(long seed) throws Exception {
    Outcome once = run(seed);
    assertThat(once.answers()).hasSizeGreaterThan(OPERATIONS / 2);
    assertThat(once.files().keySet())
        .anyMatch(name -> name.startsWith("snapshot-"))
        .anyMatch(name -> !name.startsWith("snapshot-"));
    assertThat(run(seed)).isEqualTo(once);
  }

  @Test
  void anotherSeedMakesOthers() throws Exception {
    Outcome one = run(1);
    Outcome other = run(2);
    assertThat(other.answers()).isNotEqualTo(one.answers());
    assertThat(other.files()).isNotEqualTo(one.files());
  }

  private static Outcome run(long seed) throws Exception {
    Random random = new Random(seed);
    SimulatedStorage storage = new SimulatedStorage(random);
    List<String> answers = new ArrayList<>();
    long[] nowMs = {1_000_000};
    Requests requests = new Requests(random);
    Requests.Known known = new Requests.Known();
    try (SimulatedStore store =
        new SimulatedStore(storage, KeyClasses.plain(), () -> nowMs[0], random)) {
      watch(store, answers);
      for (int i = 0; i < OPERATIONS; i++) {
        Op op = requests.next(known);
        int loop = random.nextInt(store.loops());
        byte[] request = op.encode();
        SimulatedCall call =
            new SimulatedCall(
                store.loop(loop),
                answer -> answers.add(hex(answer)),
                failure -> answers.add(String.valueOf(failure)));
        var listener = store.method(op.kind.path).open(call, store.lane(loop));
        listener.message(request, 0, request.length);
        listener.halfClosed();
        if (random.nextInt(3) == 0) {
          store.turn();
          store.run(loop);
        }
        if (random.nextInt(20) == 0) {
          nowMs[0] += random.nextInt(3_000);
          store.snapshot();
        }
        known.newest = known.shown = store.revision();
      }
      for (int i = 0; i < 50; i++) {
        store.turn();
        store.snapshot();
        store.runToEnd(0);
        store.runToEnd(1);
      }
    }
    Map<String, String> files = new TreeMap<>();
    storage.list().forEach(name -> files.put(name, hex(storage.bytes(name))));
    return new Outcome(Collections.unmodifiableList(answers), files);
  }

  private static void watch(SimulatedStore store, List<String> answers) {
    ReverseWriter out = new ReverseWriter();
    out.flag(6, true);
    byte[] all = {0};
    out.bytes(2, all, 0, 1);
    out.bytes(1, all, 0, 1);
    out.message(1, 0);
    store
        .method("/etcdserverpb.Watch/Watch")
        .open(
            new SimulatedCall(store.loop(0), event -> answers.add(hex(event)), _ -> {}),
            store.lane(0))
        .message(out.array(), out.start(), out.length());
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
