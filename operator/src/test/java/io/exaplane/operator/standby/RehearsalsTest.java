// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.standby;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RehearsalsTest {
  private static final Duration TAKES = Duration.ofMillis(30);

  private final Map<String, String> states = new TreeMap<>();
  private final List<String> rehearsed = new ArrayList<>();
  private boolean fails;
  private long nowNs;
  private final Rehearsals rehearsals =
      new Rehearsals(List.of(new Rehearsals.Part<>(new Source())), () -> nowNs);

  private final class Source implements Rehearsals.Part.Source<ConfigMap> {
    @Override
    public Stream<ConfigMap> all() {
      return states.keySet().stream()
          .map(
              name ->
                  new ConfigMapBuilder()
                      .withNewMetadata()
                      .withName(name)
                      .withUid(name)
                      .endMetadata()
                      .build());
    }

    @Override
    public String state(ConfigMap object) {
      return states.get(object.getMetadata().getName());
    }

    @Override
    public void rehearse(ConfigMap object) {
      nowNs += TAKES.toNanos();
      rehearsed.add(object.getMetadata().getName());
      if (fails) {
        throw new IllegalStateException("no answer");
      }
    }
  }

  private Duration next() {
    return rehearsals.next(() -> false);
  }

  private void warm() {
    while (!next().equals(Rehearsals.REST)) {
      assertThat(rehearsed).hasSizeLessThan(2 * Rehearsals.WARM);
    }
  }

  @Test
  void itWorksForATenthOfTheTime() {
    states.put("a", "1");
    assertThat(next()).isEqualTo(TAKES.multipliedBy(4 * 9));
    assertThat(rehearsed).hasSize(4);
    assertThat(nowNs).isLessThan(Rehearsals.PAUSE.dividedBy(10).plus(TAKES).toNanos());
  }

  @Test
  void fewObjectsAreRepeatedUntilTheCodeIsWarm() {
    states.put("a", "1");
    states.put("b", "1");
    warm();
    assertThat(rehearsed).hasSize(Rehearsals.WARM).containsOnly("a", "b");
    assertThat(next()).isEqualTo(Rehearsals.REST);
    assertThat(rehearsed).hasSize(Rehearsals.WARM);
  }

  @Test
  void ofManyEachComesOnce() {
    IntStream.range(0, Rehearsals.WARM + 7).forEach(i -> states.put("of-many-" + i, "1"));
    warm();
    assertThat(rehearsed).hasSize(Rehearsals.WARM + 7).doesNotHaveDuplicates();
  }

  @Test
  void afterwardsOnlyNewAndChangedOnesCome() {
    states.put("a", "1");
    states.put("b", "1");
    warm();
    rehearsed.clear();
    states.put("b", "2");
    states.put("c", "1");
    next();
    assertThat(rehearsed).containsExactly("b", "c");
    states.remove("c");
    next();
    states.put("c", "1");
    next();
    assertThat(rehearsed).as("another one of its name").containsExactly("b", "c", "c");
  }

  @Test
  void oneThatFailsStopsNoOther() {
    fails = true;
    states.put("a", "1");
    states.put("b", "1");
    warm();
    assertThat(rehearsed).contains("a", "b").hasSize(Rehearsals.WARM);
  }

  @Test
  void nothingIsRehearsedWhenItIsOver() {
    states.put("a", "1");
    rehearsals.next(() -> true);
    assertThat(rehearsed).isEmpty();
  }

  @Test
  void withoutObjectsItRests() {
    assertThat(next()).isEqualTo(Rehearsals.REST);
  }
}
