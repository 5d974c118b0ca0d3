// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.pace.NewDefinitions;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.Health;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.status.News;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Sources of one control plane, from their files to the status, with engines and registries that
 * obey the test.
 */
abstract class AddonRoundsBed {
  static final String MAP =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: default}\n";

  final ControlPlane controlPlane = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}");
  final List<FakeEngine> engines = new ArrayList<>();
  final Map<String, Map<String, String>> files = new HashMap<>();
  final List<News> news = new ArrayList<>();
  Instant now = Instant.parse("2026-01-01T12:00:00Z");
  Health begin = Health.UNKNOWN;
  int reads;
  int changes;
  boolean isSilent;
  boolean hasInventory = true;
  Runnable watcher = () -> {};
  final List<Runnable> watchers = new ArrayList<>();

  /** What a registry has that does not answer yet. */
  static final String SLOW = "?";

  /** What registries have, by reference: revision and text, or a problem. */
  final Map<String, String> places = new HashMap<>();

  /** Objects of built-in sources, by name. */
  final Map<String, String> builtIns = new HashMap<>();

  /** What hosted APIs have that no engine made. */
  final Map<ObjectKey, ObjectNode> live = new HashMap<>();

  /** Why hosted APIs do not answer engines. */
  Optional<Failure> silence = Optional.empty();

  /** What sources would add to hosted APIs, and how full these are. */
  Optional<NewDefinitions> added = Optional.empty();

  final List<String> fetches = new ArrayList<>();
  AddonRounds rounds = rounds();

  AddonRounds rounds() {
    return new AddonRounds(
        key -> {
          FakeEngine engine = new FakeEngine(key);
          engine.health = begin;
          engine.hasInventory = hasInventory;
          engine.live = live;
          engine.silence = silence;
          engine.added = added;
          engines.add(engine);
          return engine;
        },
        new AddonReader() {
          @Override
          public Map<String, String> read(AddonSpec spec) throws Unreadable {
            reads++;
            if (spec.inline() != null) {
              return Map.of("inline.yaml", spec.inline());
            }
            String name = spec.secret() == null ? spec.configMap().name() : spec.secret().name();
            if (isSilent) {
              throw new Unreadable(
                  "configMap %s: no answer; the operator retries".formatted(name), true);
            }
            if (!files.containsKey(name)) {
              throw new Unreadable("configMap %s: does not exist; create it".formatted(name));
            }
            return files.get(name);
          }

          @Override
          public Fetching fetch(AddonSpec spec, String previous, long heldBytes, Runnable ended) {
            String place = spec.oci().reference();
            fetches.add(place + " " + previous);
            return new Fetching() {
              @Override
              public Optional<Outcome> outcome() {
                String text = places.getOrDefault(place, "!oci: %s is away".formatted(place));
                return text.equals(SLOW) ? Optional.empty() : Optional.of(ended(text, previous));
              }

              @Override
              public void close() {
                // Nothing goes on.
              }
            };
          }

          @Override
          public Watching watch(AddonSpec spec, Runnable changed) {
            watcher = changed;
            watchers.add(changed);
            return NOTHING;
          }
        },
        () -> {},
        () -> changes++,
        news::add,
        new Clock() {
          @Override
          public Instant instant() {
            return now;
          }

          @Override
          public ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }
        },
        new SplittableRandom(1));
  }

  private static AddonReader.Outcome ended(String place, String previous) {
    if (place.startsWith("!")) {
      return new AddonReader.Missed(new AddonReader.Unreadable(place.substring(1), true));
    }
    return place.substring(0, 2).equals(previous)
        ? new AddonReader.Same()
        : new AddonReader.Arrived(
            place.substring(0, 2),
            AddonContents.of(Map.of("a.yaml", place.substring(2))),
            FetchRoom.of(10).take(1, 0).orElseThrow());
  }

  /** What the spec asks for from now on. */
  void addons(String yaml) {
    controlPlane.setSpec(
        Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10, addons: [%s]}".formatted(yaml))
            .getSpec());
  }

  /** What a pass of the reconciler does. */
  Map<String, AddonStatus> pass() {
    AddonPlan plan = AddonPlan.of(controlPlane, builtIns);
    rounds.plan(plan);
    List<AddonStatus> statuses =
        AddonReport.of(plan, rounds.reports()).stream()
            .filter(report -> !report.removed())
            .map(AddonReport::status)
            .toList();
    controlPlane.setStatus(
        Serialization.unmarshal("version: {current: 1.36.3}", ControlPlaneStatus.class)
            .withAddons(statuses));
    Map<String, AddonStatus> byName = new HashMap<>();
    statuses.forEach(one -> byName.put(one.name(), one));
    return byName;
  }

  /** Passes and rounds as they follow each other. */
  Map<String, AddonStatus> go() throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      pass();
      rounds.round();
    }
    return pass();
  }

  void wait(Duration time) throws InterruptedException {
    now = now.plus(time);
    rounds.round();
  }

  static String inline(String name, String map) {
    return "{name: %s, inline: \"%s\"}".formatted(name, MAP.formatted(map).replace("\n", "\\n"));
  }

  /** Two objects in one text, or one. */
  static String inlines(String name, String... maps) {
    StringBuilder text = new StringBuilder();
    for (String map : maps) {
      text.append("---\n").append(MAP.formatted(map));
    }
    return "{name: %s, inline: \"%s\"}".formatted(name, text.toString().replace("\n", "\\n"));
  }
}
