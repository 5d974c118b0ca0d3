// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.exaplane.store.Seeds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What JSON takes decoded: against a walk over the tree that was written, and what Go was seen to
 * take.
 */
class JsonLoadTest {
  private static final int MOST_DEPTH = 6;

  private final JsonLoad load = new JsonLoad();

  private int of(String json) {
    byte[] value = json.getBytes(UTF_8);
    return load.of(value, 0, value.length);
  }

  /** What is deeper than anybody reads closes nothing of what is above. */
  @Test
  void whatIsTooDeepCountsByItself() {
    String json = "[".repeat(10_000) + "[]".repeat(5) + "]".repeat(10_000);
    int text = json.length() + json.length() / 8;
    assertThat(of(json)).isEqualTo(text + 10_000 * (24 + 20) + 5 * 336);
  }

  @Test
  void noTextTakesMoreThanTheMost() {
    for (String part : List.of("{", "{:", "[", "[,", "{\"\":", "{},", "\"\"", "[{\"\":0},")) {
      String text = part.repeat(20_000);
      assertThat(of(text)).as(part).isLessThanOrEqualTo(JsonLoad.MOST_PER_BYTE * text.length());
    }
  }

  static LongStream seeds() {
    return Seeds.of(300);
  }

  /** Whatever is in texts, and however it is laid out. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theTreeCountsNotHowItIsWritten(long seed) {
    Random random = new Random(seed);
    Object tree = map(random, 0);
    StringBuilder out = new StringBuilder();
    write(tree, out, random);
    byte[] value = out.toString().getBytes(UTF_8);
    byte[] within = new byte[value.length + 20];
    random.nextBytes(within);
    System.arraycopy(value, 0, within, 7, value.length);
    long expected = value.length + value.length / 8 + bytes(tree);
    assertThat(load.of(within, 7, value.length)).as("%s", out).isEqualTo((int) expected);
    assertThat(load.of(value, 0, value.length)).as("again").isEqualTo((int) expected);
  }

  private static Object any(Random random, int depth) {
    return switch (random.nextInt(depth > MOST_DEPTH ? 4 : 8)) {
      case 0 -> random.nextInt();
      case 1 -> random.nextBoolean();
      case 2, 3 -> text(random);
      case 4, 5 -> {
        List<Object> list = new ArrayList<>();
        IntStream.range(0, random.nextInt(5)).forEach(_ -> list.add(any(random, depth + 1)));
        yield list;
      }
      default -> map(random, depth + 1);
    };
  }

  private static Map<String, Object> map(Random random, int depth) {
    Map<String, Object> map = new LinkedHashMap<>();
    int entries = random.nextInt(20) == 0 ? random.nextInt(2000) : random.nextInt(12);
    for (int i = 0; i < entries; i++) {
      map.put(text(random) + i, entries > 12 ? i : any(random, depth));
    }
    return map;
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(30); i > 0; i--) {
      text.append("ab{}[]:,\"\\ \u00e9".charAt(random.nextInt(12)));
    }
    return text.toString();
  }

  private static void write(Object value, StringBuilder out, Random random) {
    out.append(" \n".repeat(random.nextInt(2)));
    switch (value) {
      case Map<?, ?> map -> {
        out.append('{');
        String comma = "";
        for (var entry : map.entrySet()) {
          out.append(comma);
          write(entry.getKey(), out, random);
          out.append(" ".repeat(random.nextInt(2))).append(':');
          write(entry.getValue(), out, random);
          comma = ",";
        }
        out.append('}');
      }
      case List<?> list -> {
        out.append('[');
        for (int i = 0; i < list.size(); i++) {
          out.append(i == 0 ? "" : ",");
          write(list.get(i), out, random);
        }
        out.append(']');
      }
      case String text ->
          out.append('"').append(text.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
      default -> out.append(value);
    }
  }

  private static long bytes(Object value) {
    return switch (value) {
      case Map<?, ?> map ->
          JsonLoad.mapBytes(map.size())
              + map.values().stream().mapToLong(JsonLoadTest::bytes).sum();
      // An empty list counts as one with an item.
      case List<?> list ->
          24 + 20L * Math.max(1, list.size()) + list.stream().mapToLong(JsonLoadTest::bytes).sum();
      case String _ -> 16;
      default -> 0;
    };
  }

  /** Live heap of one value in Go 1.26, of sixty that were decoded as kube-apiserver does it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // an element, how many in one list, bytes of live heap
        "{\"name\":\"item-#\",\"on\":true,\"port\":#} | 23000 | 9383534",
        "{\"a\":1} | 23000 | 8105567",
        "{} | 23000 | 1481564",
        "{\"a\":#,\"b\":\"x\",\"c\":\"x\",\"d\":\"x\",\"e\":\"x\",\"f\":\"x\",\"g\":\"x\",\"h\":\"x\",\"i\":\"x\",\"j\":\"x\",\"k\":\"x\",\"l\":\"x\"} | 5000 | 4320612",
        "# | 23000 | 559543",
        "1 | 100000 | 1884897",
        "\"text-#\" | 23000 | 1105576",
        "[1] | 23000 | 1297565",
      })
  void listsAreNearWhatWasSeen(String element, int count, int seen) {
    String list =
        IntStream.range(0, count)
            .mapToObj(i -> element.replace("#", Integer.toString(i)))
            .collect(Collectors.joining(",", "{\"spec\":{\"items\":[", "]}}"));
    assertThat((double) of(list) / seen).isBetween(0.95, 1.25);
  }

  @ParameterizedTest
  @CsvSource({"23000, 2599623", "500, 68619"})
  void mapsAreNearWhatWasSeen(int entries, int seen) {
    String map =
        IntStream.range(0, entries)
            .mapToObj("\"field-%d\":\"value-%1$d of the field\""::formatted)
            .collect(Collectors.joining(",", "{\"spec\":{", "}}"));
    assertThat((double) of(map) / seen).isBetween(0.9, 1.1);
  }

  @Test
  void depthAndLongTextsAreNearWhatWasSeen() {
    String deep = "{\"a\":".repeat(900) + "1" + "}".repeat(900);
    assertThat(20.0 * of(deep) / 6049250).isBetween(0.95, 1.1);
    String text = "{\"l\":[" + ("\"" + "abcdefghi ".repeat(20) + "1234\",").repeat(3000) + "1]}";
    assertThat(of(text) / 730085.0).isBetween(0.95, 1.25);
  }

  /** What is no JSON has a value, too, and never ends in an error. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void anyBytesHaveALoad(long seed) {
    Random random = new Random(seed);
    byte[] value = new byte[1 + random.nextInt(5000)];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) "{}[]:,\"\\ a1\n".charAt(random.nextInt(random.nextBoolean() ? 12 : 3));
    }
    value[0] = '{';
    assertThat(load.of(value, 0, value.length)).isGreaterThanOrEqualTo(value.length);
  }

  @Test
  void depthTakesNoStack() {
    int depth = 500_000;
    assertThat(of("{\"a\":".repeat(depth) + "1" + "}".repeat(depth))).isGreaterThan(300 * depth);
    assertThat(of("[".repeat(3 * depth))).isPositive();
  }

  @Test
  void largeMapsTakeFromHalfToAllOfTheirSlots() {
    for (int entries = 9; entries < 100_000; entries = entries * 21 / 20 + 1) {
      double each = (double) JsonLoad.mapBytes(entries) / entries;
      assertThat(each).as("%d entries", entries).isBetween(37.0, 120.0);
      assertThat(JsonLoad.mapBytes(entries + 1))
          .isGreaterThanOrEqualTo(JsonLoad.mapBytes(entries) * 9 / 10);
    }
    assertThat((double) JsonLoad.mapBytes(1)).isCloseTo(JsonLoad.mapBytes(8), within(0.0));
  }

  @Test
  void onlyWhatBeginsAsAnObjectIsJson() {
    byte[] json = " {\"a\":1}".getBytes(UTF_8);
    assertThat(JsonLoad.isJson(json, 1, json.length - 1)).isTrue();
    assertThat(JsonLoad.isJson(json, 0, json.length)).isFalse();
    assertThat(JsonLoad.isJson(json, 1, 0)).isFalse();
    assertThat(JsonLoad.isJson("k8s\0{".getBytes(UTF_8), 0, 5)).isFalse();
  }
}
