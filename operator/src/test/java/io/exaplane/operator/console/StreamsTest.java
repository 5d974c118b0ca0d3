// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.controlplane.hosted.LiveLists;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StreamsTest {
  private final FakeFleet fleet = new FakeFleet();
  private final Changes changes = new Changes(fleet);
  private final Streams streams = new Streams(changes, section -> section.notes().getFirst());
  private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();
  private final AtomicReference<Optional<List<Section>>> sections =
      new AtomicReference<>(Optional.of(List.of(note("a", "1"), note("b", "1"))));

  @AfterEach
  void stop() {
    streams.close();
  }

  private static Section note(String name, String words) {
    return Section.note(name, name, words);
  }

  private Thread serve() {
    return Thread.ofVirtual()
        .start(
            () -> {
              try {
                streams.serve("", sections::get, sink());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private Streams.Sink sink() {
    return new Streams.Sink() {
      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public boolean send(String text) {
        return sent.add(text);
      }
    };
  }

  private String next() throws InterruptedException {
    String text = sent.poll(20, TimeUnit.SECONDS);
    assertThat(text).as("an event").isNotNull();
    return text;
  }

  @Test
  void onlyTheSectionThatChangedIsSent() throws Exception {
    Thread server = serve();
    assertThat(next()).contains("event: a\ndata: 1\n\n", "event: b\ndata: 1\n\n");
    sections.set(Optional.of(List.of(note("a", "1"), note("b", "2"))));
    fleet.planes.add(FakeFleet.plane("n", "x", "True"));
    changes.look();
    assertThat(next()).contains("event: b\ndata: 2\n\n").doesNotContain("event: a");
    sections.set(Optional.empty());
    fleet.planes.clear();
    changes.look();
    assertThat(next()).contains("event: over");
    server.join();
  }

  @Test
  void wordsOfAnObjectAreNoEvents() {
    assertThat(Streams.event("a", "x\nevent: over\n\ny"))
        .isEqualTo("event: a\ndata: x\ndata: event: over\ndata: \ndata: y\n\n");
  }

  @Test
  void theirNumberIsBounded() {
    for (int i = 0; i < Streams.MOST_OF_ONE; i++) {
      assertThat(streams.enter("anna")).isTrue();
    }
    assertThat(streams.enter("anna")).isFalse();
    for (int i = Streams.MOST_OF_ONE; i < Streams.MOST; i++) {
      assertThat(streams.enter("user-" + i)).isTrue();
    }
    assertThat(streams.enter("bert")).isFalse();
    streams.leave("anna");
    assertThat(streams.enter("bert")).isTrue();
  }

  @Test
  void eachChangeOfAnObjectHasAnotherNumber() {
    fleet.planes.add(FakeFleet.plane("n", "x", "True"));
    changes.look();
    long before = changes.number("n");
    assertThat(changes.number("other")).isZero();
    fleet.planes.getFirst().getMetadata().setResourceVersion("2");
    changes.look();
    assertThat(changes.number("n")).isNotEqualTo(before);
    assertThat(changes.number("other")).isZero();
  }

  /** No object changes with it: these figures are the operator's own. */
  @Test
  void aNewLookAtListsIsAChange() {
    fleet.planes.add(FakeFleet.plane("n", "x", "True"));
    changes.look();
    long before = changes.number("n");
    fleet.lists = Optional.of(new LiveLists(Instant.EPOCH.plusSeconds(1), List.of()));
    changes.look();
    assertThat(changes.number("n")).isNotEqualTo(before);
  }
}
