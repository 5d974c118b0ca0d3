// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.watch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatcherIndexTest {
  private final Region region = Region.reserve(1 << 20, 16);
  private final Keyspace keyspace =
      new Keyspace(
          region, new Leases(new Random(1)::nextLong), KeyClasses.plain(), SpaceLimits.NONE, 1, 1);

  @AfterEach
  void close() {
    region.close();
  }

  private static String key(Random random) {
    return "/" + "ab".charAt(random.nextInt(2)) + "/" + "x".repeat(random.nextInt(3));
  }

  private static Watcher watcher(long id, String key, String end) {
    ReverseWriter out = new ReverseWriter();
    out.bytes(2, end.getBytes(ISO_8859_1), 0, end.length());
    out.bytes(1, key.getBytes(ISO_8859_1), 0, key.length());
    WatchCreateRequest request = new WatchCreateRequest();
    request.read(new ProtoReader().open(out.array(), out.start(), out.length()));
    return new Watcher(null, id, request, 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void findsWhatALookAtEachWatcherFinds(long seed) {
    Random random = new Random(seed);
    WatcherIndex index = new WatcherIndex(keyspace.memory());
    List<Watcher> watchers = new ArrayList<>();
    for (int step = 0; step < 500; step++) {
      if (random.nextInt(3) > 0 || watchers.isEmpty()) {
        String end =
            switch (random.nextInt(4)) {
              case 0 -> "";
              case 1 -> "\0";
              default -> key(random) + "~";
            };
        Watcher watcher = watcher(step, key(random), end);
        if (!watcher.range.isEmpty()) {
          watchers.add(watcher);
          index.add(watcher);
        }
      } else {
        index.remove(watchers.remove(random.nextInt(watchers.size())));
      }
      byte[] key = key(random).getBytes(ISO_8859_1);
      long record = keyspace.put(key, 0, key.length, key, 0, 0, 0);
      keyspace.commit();
      List<Watcher> found = new ArrayList<>();
      index.forEachOf(record, found::add);
      assertThat(found)
          .containsExactlyInAnyOrderElementsOf(
              watchers.stream().filter(w -> w.range.contains(key)).toList());
    }
  }
}
