// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.protobuf.DamagedException;
import io.exaplane.scheduler.engine.protobuf.ProtobufObjects;
import io.exaplane.scheduler.engine.scenario.GroupMaker;
import io.exaplane.scheduler.engine.scenario.ScenarioMaker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Objects in Kubernetes' own binary encoding say the same as in JSON. */
class BinaryOracleTest {
  private static final int SCENARIOS = Math.max(20, Integer.getInteger("scenarios", 1000) / 10);
  private static final Version VERSION =
      Version.of(System.getProperty("kubernetes", Version.newest().toString()));

  @Test
  void theSchemaIsThatOfTheApi() throws IOException, InterruptedException {
    String committed = schema();
    Process process = new ProcessBuilder(Oracle.program(), "-schema").start();
    try (var out = process.outputWriter()) {
      out.write(committed);
    }
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (VERSION.equals(Version.newest())) {
      assertThat(printed.lines())
          .containsExactlyElementsOf(committed.lines().filter(line -> !isGone(line)).toList());
    }
    // Older versions have fewer fields, and those that they have are the same.
    Set<String> lines = new HashSet<>(committed.lines().toList());
    assertThat(printed.lines().filter(line -> !isPartOfOne(line, lines))).isEmpty();
    assertThat(printed).contains("PodSpec volumes:1:[]Volume");
  }

  /** What the newest version does not have any more: groups of pods as 1.36 has them. */
  private static boolean isGone(String line) {
    return line.contains("v1alpha2") && !line.startsWith("#");
  }

  private static boolean isPartOfOne(String line, Set<String> lines) {
    List<String> words = List.of(line.split(" "));
    return lines.contains(line)
        || lines.stream()
            .map(other -> List.of(other.split(" ")))
            .anyMatch(
                other -> other.getFirst().equals(words.getFirst()) && other.containsAll(words));
  }

  private static String schema() throws IOException {
    try (InputStream in = ProtobufObjects.class.getResourceAsStream("schema.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void decisionsAreTheSame() throws Exception {
    boolean grouped = VERSION.atLeast(Version.V1_36);
    Profile profile = grouped ? EngineOracleTest.profile("gangs") : Profile.defaults(VERSION);
    long first = Long.getLong("seed", ThreadLocalRandom.current().nextLong(1L << 40));
    List<List<Map<String, Object>>> scenarios =
        LongStream.range(first, first + SCENARIOS)
            .mapToObj(seed -> objects(seed, grouped))
            .toList();
    try (Oracle oracle = new Oracle(List.of("-binary"))) {
      oracle.ask(scenarios.stream().flatMap(List::stream).toList());
      for (int i = 0; i < SCENARIOS; i++) {
        List<Map<String, Object>> objects = scenarios.get(i);
        List<Map<String, Object>> read = new ArrayList<>();
        for (Map<String, Object> object : objects) {
          read.add(read(oracle.nextLine(), object));
        }
        assertThat(new EngineRun(read, profile, i).steps())
            .as("seed %d", first + i)
            .isEqualTo(new EngineRun(objects, profile, i).steps());
      }
    }
  }

  private static List<Map<String, Object>> objects(long seed, boolean grouped) {
    List<Map<String, Object>> objects = new ScenarioMaker(seed, VERSION).objects();
    return grouped ? new GroupMaker(seed, VERSION).grouped(objects) : objects;
  }

  /** The one that was not encoded, if this version does not know its kind. */
  private static Map<String, Object> read(String base64, Map<String, Object> object)
      throws DamagedException, IOException {
    if (base64.isEmpty()) {
      return object;
    }
    List<Map<String, Object>> read = new ArrayList<>();
    new ProtobufObjects(read::add)
        .read(new ByteArrayInputStream(Base64.getDecoder().decode(base64)));
    return read.getFirst();
  }
}
