// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.operator.controlplane.Fixtures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** When a registry is asked again, and what is known meanwhile. */
class AddonFilesTest {
  private final Instant begin = Instant.parse("2026-01-01T12:00:00Z");
  private final FetchRoom room = FetchRoom.of(100);
  private final AddonSpec spec =
      Fixtures.controlPlane(
              "{version: 1.36.3, maxNodes: 10, addons: [{name: a, oci: {reference: 'r/a:v1'}}]}")
          .getSpec()
          .addons()
          .getFirst();
  private final List<Long> held = new ArrayList<>();
  private Optional<AddonReader.Outcome> outcome = Optional.empty();
  private int begun;
  private int closed;

  private final AddonReader reader =
      new AddonReader() {
        @Override
        public Map<String, String> read(AddonSpec spec) {
          throw new IllegalStateException("the source is fetched");
        }

        @Override
        public Fetching fetch(AddonSpec spec, String previous, long heldBytes, Runnable ended) {
          begun++;
          held.add(heldBytes);
          return new Fetching() {
            @Override
            public Optional<Outcome> outcome() {
              return outcome;
            }

            @Override
            public void close() {
              closed++;
            }
          };
        }

        @Override
        public Watching watch(AddonSpec spec, Runnable changed) {
          return NOTHING;
        }
      };

  private AddonFiles files(int seed) {
    return new AddonFiles(new SplittableRandom(seed), Optional.empty());
  }

  private void arrives(String revision, String text) {
    outcome =
        Optional.of(
            new AddonReader.Arrived(
                revision,
                AddonContents.of(Map.of("a.yaml", text)),
                room.take(text.length(), 0).orElseThrow()));
  }

  private void misses(boolean passing) {
    outcome =
        Optional.of(new AddonReader.Missed(new AddonReader.Unreadable("oci: is away", passing)));
  }

  /** Begins and ends a fetch. */
  private boolean fetch(AddonFiles files, Instant now) {
    assertThat(files.isDue(now)).isTrue();
    files.read(reader, spec, () -> {}, now);
    return files.read(reader, spec, () -> {}, now);
  }

  @Test
  void nobodyWaitsForAFetch() {
    AddonFiles files = files(1);
    assertThat(files.read(reader, spec, () -> {}, begin)).isFalse();
    assertThat(files.isDue(begin.plusSeconds(3600))).as("it goes on").isFalse();
    assertThat(files.nextRead()).isEqualTo(Instant.MAX);
    assertThat(files.isDoubtful()).isTrue();
    assertThat(begun).isEqualTo(1);
    arrives("r1", "kind: x");
    assertThat(files.isDue(begin)).isTrue();
    assertThat(files.read(reader, spec, () -> {}, begin)).isTrue();
    assertThat(files.fetchedRevision()).isEqualTo("r1");
    assertThat(files.isDoubtful()).isFalse();
  }

  @Test
  void timesOfManySourcesDiffer() {
    arrives("r1", "kind: x");
    List<Duration> waits = new ArrayList<>();
    for (int seed = 0; seed < 50; seed++) {
      AddonFiles files = files(seed);
      fetch(files, begin);
      waits.add(Duration.between(begin, files.nextRead()));
    }
    assertThat(waits).allMatch(one -> one.compareTo(Duration.ofMinutes(9)) >= 0);
    assertThat(waits).allMatch(one -> one.compareTo(Duration.ofMinutes(11)) <= 0);
    assertThat(waits).doesNotHaveDuplicates();
  }

  @Test
  void aRegistryThatIsAwayIsAskedLessAndLess() {
    AddonFiles files = files(1);
    arrives("r1", "kind: x");
    fetch(files, begin);
    misses(true);
    Instant now = begin.plusSeconds(700);
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      fetch(files, now);
      assertThat(files.unreadable()).isEqualTo(i < 2 ? "" : "oci: is away");
      waits.add(Duration.between(now, files.nextRead()).toSeconds());
      now = files.nextRead();
    }
    assertThat(waits.subList(0, 7)).containsExactly(30L, 30L, 30L, 60L, 120L, 240L, 480L);
    assertThat(waits.get(7)).as("the interval").isBetween(540L, 660L);
    assertThat(files.unreadableSince()).hasValue(begin.plusSeconds(700));
    assertThat(files.contents()).as("what was read before holds").isPresent();
    assertThat(files.isDoubtful()).isTrue();
    outcome = Optional.of(new AddonReader.Same());
    fetch(files, now);
    assertThat(files.unreadable()).isEmpty();
    assertThat(files.unreadableSince()).isEmpty();
  }

  @Test
  void aProblemThatLastsIsToldAtOnceAndAskedAgainAtTheInterval() {
    AddonFiles files = files(1);
    arrives("r1", "kind: x");
    fetch(files, begin);
    misses(false);
    fetch(files, files.nextRead());
    assertThat(files.unreadable()).isEqualTo("oci: is away");
  }

  @Test
  void memoryIsGivenBack() {
    AddonFiles files = files(1);
    arrives("r1", "kind: x");
    fetch(files, begin);
    assertThat(room.used()).isEqualTo(7);
    arrives("r2", "kind: longer");
    fetch(files, files.nextRead());
    assertThat(held).containsExactly(0L, 7L);
    assertThat(room.used()).isEqualTo(12);
    outcome = Optional.empty();
    files.doubt();
    files.read(reader, spec, () -> {}, begin);
    files.close();
    assertThat(closed).isEqualTo(1);
    assertThat(room.used()).isZero();
  }

  @Test
  void anotherPlaceIsAskedWithoutTheFormerRevision() {
    AddonFiles files = files(1);
    arrives("r1", "kind: x");
    fetch(files, begin);
    files.changeSource();
    assertThat(files.fetchedRevision()).isEmpty();
    assertThat(files.isDue(begin)).isTrue();
    assertThat(files.contents()).isPresent();
  }
}
