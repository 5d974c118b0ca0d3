// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a server's YAML parser would refuse or take otherwise is written in another way. */
class AsYamlTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static String sent(String json) {
    return new String(AsYaml.of(json.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  /** A parser of YAML refuses an escape for half of a character. */
  @Test
  void bothHalvesOfACharacterBecomeOne() {
    assertThat(sent("\"\\uD83D\\uDE00\"")).isEqualTo("\"😀\"");
    assertThat(sent("\"a\\ud83d\\ude00b\"")).isEqualTo("\"a😀b\"");
    assertThat(sent("\"\\uD83D\\uDE00\\uD83D\\uDE00\"")).isEqualTo("\"😀😀\"");
    assertThat(sent("\"\\\\\\uD83D\\uDE00\"")).isEqualTo("\"\\\\😀\"");
    for (String other :
        List.of(
            "\"\\\\uD83D\\\\uDE00\"",
            "\"\\u00e4\\n\\uD83D\"",
            "\"\\uDE00\\uD83D\"",
            "\"\\uD83Dx\\uDE00\"")) {
      assertThat(sent(other)).isEqualTo(other);
    }
  }

  @Test
  void charactersThatEndALineGetEscapes() {
    assertThat(sent("\"a\u0085b\u2028c\u007fd\uFEFFe\""))
        .isEqualTo("\"a\\u0085b\\u2028c\\u007fd\\ufeffe\"");
    byte[] plain = "{\"a\":\"ä€\\\"\"}".getBytes(StandardCharsets.UTF_8);
    assertThat(AsYaml.of(plain)).isSameAs(plain);
  }

  @Test
  void theTextStaysTheSameAndHasNoHalves() throws Exception {
    SplittableRandom random = new SplittableRandom(31);
    String[] parts = {"a", "\\", "\"", "u", "D83D", "😀", "𝒳", "\u0085", "é", "\n", "\u2029"};
    for (int run = 0; run < 2_000; run++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(20); i >= 0; i--) {
        text.append(parts[random.nextInt(parts.length)]);
      }
      Map<String, String> value = Map.of("k" + text, text.toString());
      byte[] sent = AsYaml.of(JSON.writeValueAsBytes(value));
      assertThat(JSON.readTree(sent)).isEqualTo(JSON.<JsonNode>valueToTree(value));
      assertThat(new String(sent, StandardCharsets.UTF_8).replace("\\\\", ""))
          .doesNotContainPattern("\\\\u[dD][89a-fA-F]");
    }
  }
}
