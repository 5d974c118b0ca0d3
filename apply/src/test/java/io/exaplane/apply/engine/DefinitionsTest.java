// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.FieldManager;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.Observed;
import io.exaplane.apply.port.ResourceType;
import io.exaplane.apply.port.ServerLoad;
import io.exaplane.apply.port.WatchEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Definitions go as fast as a server establishes them, and stop while its memory is full. */
class DefinitionsTest {
  private static final ServerLoad ROOM = new ServerLoad(100, 200, 1_000, 1, 600, 0, 0, -1);
  private static final ServerLoad FULL = new ServerLoad(800, 900, 1_000, 1, 600, 0, 0, -1);

  private final ApplySet set = new ApplySet("one", "default");
  private final Engine engine = new Engine(Options.DEFAULTS);
  private final ModelServer server = new ModelServer();
  private final List<ObjectKey> applied = new ArrayList<>();
  private final ArrayDeque<ObjectKey> open = new ArrayDeque<>();
  private final List<String> established = new ArrayList<>();
  private ServerLoad load = ROOM;
  private Action.Watch watch;
  private int looks;
  private int mostOpen;
  private long version = 10;
  private long now = 1_000;

  private void run(Event first) {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), now)) {
        switch (action) {
          case Action.Tell _ -> {}
          case Action.Watch one -> {
            if (one.groupKind().startsWith("CustomResourceDefinition")) {
              watch = one;
            }
          }
          case Action.Discover _ -> events.add(new Event.Discovered(discovery()));
          case Action.Load one -> events.add(new Event.Loaded(one.source(), Inventory.EMPTY));
          case Action.Save one -> events.add(new Event.Saved(one.source(), null));
          case Action.Page one ->
              events.add(
                  new Event.Listed(
                      one.groupKind(), one.number(), new ListPage(List.of(), 1, "", 0)));
          case Action.Apply one -> {
            applied.add(one.key());
            boolean isDefinition = one.key().kind().equals("CustomResourceDefinition");
            if (isDefinition) {
              open.add(one.key());
            }
            mostOpen = Math.max(mostOpen, open.size());
            Observed made = observed(one.key(), isDefinition ? Health.IN_PROGRESS : Health.UNKNOWN);
            events.add(new Event.Applied(one.key(), one.ticket(), made, 5));
          }
          case Action.Look _ -> {
            looks++;
            events.add(new Event.Looked(load, 5));
          }
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  private Observed observed(ObjectKey key, Health health) {
    byte[] fields = "{\"f:spec\":{}}".getBytes(StandardCharsets.UTF_8);
    FieldManager ours = new FieldManager("exaplane", "Apply", "", "v1", "1", fields);
    String uid = "uid-" + key.name();
    return new Observed(key, uid, ++version, 1, false, set.id(), 0, health, List.of(ours));
  }

  /** Of what is established, beside what each server has. */
  private Discovery discovery() {
    Map<Gvk, ResourceType> types = new HashMap<>(server.discovery().types());
    for (String kind : established) {
      Gvk gvk = new Gvk("e.com", "v1", kind);
      types.put(gvk, new ResourceType(gvk, kind.toLowerCase(Locale.ROOT), true, Set.of("list")));
    }
    return new Discovery(types, Set.of());
  }

  private void establishOne() {
    established.add("W" + open.element().name().replaceAll("[^0-9]", ""));
    Observed served = observed(open.remove(), Health.CURRENT);
    run(new Event.Watched(watch.groupKind(), watch.number(), new WatchEvent.Changed(served, 9)));
  }

  private void want(int count) {
    want(count, false);
  }

  /** With an object of each kind, too. */
  private void want(int count, boolean objects) {
    List<Manifest> manifests = new ArrayList<>();
    for (int at = 0; at < count; at++) {
      String more = ",\"spec\":{\"group\":\"e.com\",\"names\":{\"kind\":\"W%d\"}}".formatted(at);
      manifests.add(Wishes.manifest(Wishes.DEFINITION, "", "w" + at + ".e.com", "v", more));
      if (objects) {
        Gvk gvk = new Gvk("e.com", "v1", "W" + at);
        manifests.add(Wishes.manifest(gvk, "default", "o" + at, "v", ""));
      }
    }
    run(new Event.Desired(set, manifests, true));
  }

  private void pass(long ms) {
    now += ms;
    run(new Event.Tick());
  }

  @Test
  void waitUntilOthersAreEstablished() {
    want(60);
    assertThat(applied).hasSize(10);
    assertThat(watch).as("establishment is seen").isNotNull();
    assertThat(looks).as("the server is asked how busy it is").isEqualTo(1);
    pass(100);
    assertThat(applied).as("nothing goes without news").hasSize(10);
    assertThat(looks).as("nobody asks again within a second").isEqualTo(1);
    assertThat(engine.idle(set)).isFalse();
    while (applied.size() < 60) {
      now += 20;
      establishOne();
    }
    assertThat(mostOpen).as("more of them as all goes well").isBetween(15, 60);
    assertThat(engine.idle(set)).isTrue();
    assertThat(engine.summary(set).good()).isTrue();
  }

  /** Each established definition lets an object go, and one answer tells of a burst of them. */
  @Test
  void discoveryIsAskedForBurstsAndNotForEachDefinition() {
    want(300, true);
    for (int at = 0; at < 10_000 && applied.size() < 600; at++) {
      now += 20;
      if (open.isEmpty()) {
        run(new Event.Tick());
      } else {
        establishOne();
      }
    }
    assertThat(applied).hasSize(600);
    assertThat(engine.summary(set).good()).isTrue();
    long asked = engine.summary(set).counters().discoveries();
    System.out.printf("300 definitions within %d ms: %d discoveries%n", now - 1_000, asked);
    assertThat(asked).isLessThan(1 + (now - 1_000) / 200);
  }

  @Test
  void aFewNeedNoQuestionAndNoWatch() {
    want(10);
    assertThat(applied).hasSize(10);
    assertThat(looks).isZero();
    assertThat(watch).isNull();
    assertThat(engine.idle(set)).isTrue();
  }

  @Test
  void stopWhileMemoryIsFullAndGoOnAfterwards() {
    load = FULL;
    want(60);
    while (!open.isEmpty()) {
      establishOne();
    }
    assertThat(applied).hasSize(10);
    for (int at = 0; at < 30 && !engine.idle(set); at++) {
      pass(Math.max(1, engine.nextWakeMs() - now) + 20_000);
    }
    assertThat(engine.idle(set)).as("after five minutes the source goes on without").isTrue();
    assertThat(applied).hasSize(10);
    assertThat(engine.summary(set).good()).isFalse();
    assertThat(engine.summary(set).items().getLast().words())
        .contains("80 % of its GOMEMLIMIT", "give kube-apiserver more memory");
    int before = looks;
    pass(30_000);
    assertThat(looks).as("seldom from then on").isEqualTo(before);
    load = ROOM;
    pass(60_000);
    while (applied.size() < 60) {
      assertThat(open).isNotEmpty();
      establishOne();
    }
    assertThat(engine.idle(set)).isTrue();
    assertThat(engine.summary(set).good()).isTrue();
  }

  @Test
  void oneThatIsNeverEstablishedHoldsTheOthersForHalfAMinute() {
    want(11);
    assertThat(applied).hasSize(10);
    pass(29_000);
    assertThat(applied).hasSize(10);
    pass(2_000);
    assertThat(applied).hasSize(11);
  }
}
