// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who does not answer holds up nobody: neither who asks for the answer, nor another's turn. */
class ProbeSourceTest {
  private static final int SILENT = 400;

  /** More than there are places for those who answer. */
  private static final int CUT_OFF = 100;

  private static final long DEADLINE_S = 60;

  private final Map<ResourceID, ConfigMap> primaries = new ConcurrentHashMap<>();
  private final LinkedBlockingQueue<ResourceID> events = new LinkedBlockingQueue<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final ProbeSource<String, ConfigMap> source =
      ProbeSource.of(
          String.class,
          new ProbeSource.Settings<>(
              "test", this::ask, _ -> true, _ -> true, Duration.ofMillis(20)),
          id -> Optional.ofNullable(primaries.get(id)));
  private volatile String answer = "one";
  private volatile boolean cut;
  private final CountDownLatch waited = new CountDownLatch(CUT_OFF);

  private Set<String> ask(ConfigMap about) {
    String name = about.getMetadata().getName();
    if (name.startsWith("silent") || cut && name.startsWith("cut")) {
      waited.countDown();
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return Set.of();
    }
    return Set.of(answer);
  }

  private ConfigMap add(String name, String uid) {
    ConfigMap primary =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace("ns")
            .withUid(uid)
            .endMetadata()
            .build();
    primaries.put(ResourceID.fromResource(primary), primary);
    source.onResourceCreated(primary);
    return primary;
  }

  private void start() {
    source.setEventHandler((Event event) -> events.add(event.getRelatedCustomResourceID()));
    source.start();
  }

  @AfterEach
  void stop() {
    end.countDown();
    source.stop();
  }

  @Test
  void aFleetThatIsSilentDelaysNoAnswerOfOthers() throws Exception {
    start();
    ConfigMap prompt = add("prompt", "u");
    assertThat(events.poll(DEADLINE_S, TimeUnit.SECONDS))
        .isEqualTo(ResourceID.fromResource(prompt));
    for (int i = 0; i < SILENT; i++) {
      add("silent-" + i, "u" + i);
    }
    int threads = Thread.getAllStackTraces().size();
    answer = "two";
    assertThat(events.poll(DEADLINE_S, TimeUnit.SECONDS))
        .isEqualTo(ResourceID.fromResource(prompt));
    assertThat(source.getSecondaryResources(prompt)).containsExactly("two");
    assertThat(source.getSecondaryResources(add("silent-0", "u0"))).isEmpty();
    assertThat(Thread.getAllStackTraces().size()).as("platform threads").isLessThan(threads + 20);
  }

  /** All at once, as when a network behind them is lost. */
  @Test
  void thoseThatAnsweredAndAreCutOffDelayNoAnswerOfOthers() throws Exception {
    start();
    for (int i = 0; i < CUT_OFF; i++) {
      add("cut-" + i, "u" + i);
    }
    for (int i = 0; i < CUT_OFF; i++) {
      assertThat(events.poll(DEADLINE_S, TimeUnit.SECONDS)).as("answer %d", i).isNotNull();
    }
    cut = true;
    assertThat(waited.await(DEADLINE_S, TimeUnit.SECONDS))
        .as("all of them are asked, each while the others are")
        .isTrue();
    ConfigMap prompt = add("prompt", "u");
    assertThat(events.poll(DEADLINE_S, TimeUnit.SECONDS))
        .isEqualTo(ResourceID.fromResource(prompt));
    answer = "two";
    assertThat(events.poll(DEADLINE_S, TimeUnit.SECONDS))
        .isEqualTo(ResourceID.fromResource(prompt));
    assertThat(source.getSecondaryResources(prompt)).containsExactly("two");
  }

  @Test
  void anAnswerIsOfOneObjectNotOfItsName() throws Exception {
    start();
    ConfigMap first = add("same", "u1");
    assertThat(events.poll(DEADLINE_S, TimeUnit.SECONDS)).isNotNull();
    assertThat(source.getSecondaryResources(first)).containsExactly("one");
    source.onResourceDeleted(first);
    assertThat(source.getSecondaryResources(first)).isEmpty();
    answer = "two";
    ConfigMap second = add("same", "u2");
    assertThat(events.poll(DEADLINE_S, TimeUnit.SECONDS)).isNotNull();
    assertThat(source.getSecondaryResources(second)).containsExactly("two");
    assertThat(source.getSecondaryResources(first)).isEmpty();
  }
}
