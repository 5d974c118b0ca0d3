// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/** A parser sees the same characters at the same places as through SnakeYAML's own reader. */
class YamlCharactersTest {
  private static final String[] PARTS = {
    "a",
    "b c",
    ": ",
    "\n",
    "\r\n",
    "\r",
    "- ",
    "  ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "'",
    "\"",
    "\\n",
    "# x",
    "|\n",
    ">-\n",
    "&a ",
    "*a",
    "!t ",
    "---\n",
    "...\n",
    "%X",
    "😀",
    "ä",
    "\u2028",
    "\u0085",
    "\uFEFF",
    "\t",
    "? ",
    "\u0007",
    "\"\\u00e4\"",
    "1",
    "~"
  };

  @Test
  void documentsAreTheSame() {
    Random random = new Random(30);
    for (int run = 0; run < 20_000; run++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(30); i >= 0; i--) {
        text.append(PARTS[random.nextInt(PARTS.length)]);
      }
      // A pair in the middle of two chunks; who reads larger ones sees odd characters earlier.
      boolean repeated = random.nextInt(20) == 0 && text.indexOf("\u0007") < 0;
      String all = repeated ? "😀".repeat(random.nextInt(9_000)) + text : "" + text;
      assertThat(events(new YamlCharacters(new StringReader(all))))
          .as(text.toString())
          .isEqualTo(events(new StreamReader(new StringReader(all))));
    }
  }

  private static List<String> events(StreamReader characters) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE);
    List<String> events = new ArrayList<>();
    try {
      ParserImpl parser = new ParserImpl(characters, options);
      while (parser.peekEvent() != null) {
        Event event = parser.getEvent();
        events.add(
            event + " " + event.getStartMark().getLine() + ":" + event.getStartMark().getColumn());
      }
    } catch (MarkedYAMLException e) {
      events.add(e.getProblem() + " " + e.getProblemMark().getLine());
    } catch (YAMLException e) {
      events.add("" + e.getClass());
    }
    return events;
  }

  /** With SnakeYAML's reader each of them takes a minute. */
  @ParameterizedTest
  @ValueSource(strings = {"%s", "\"%s\"", "'%s'", "|-\n  %s", "x # %s", "&%s x"})
  void aWordOfMegabytesIsRead(String form) {
    String word = "a".repeat(7_000_000);
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE);
    ParserImpl parser =
        new ParserImpl(new YamlCharacters(new StringReader(form.formatted(word))), options);
    while (!parser.checkEvent(Event.ID.Scalar)) {
      parser.getEvent();
    }
    assertThat(((ScalarEvent) parser.getEvent()).getValue())
        .isEqualTo(form.contains("x") ? "x" : word);
  }

  @Test
  void aWordWithoutEndIsRefused() {
    Reader endless =
        new Reader() {
          @Override
          public int read(char[] into, int offset, int length) {
            java.util.Arrays.fill(into, offset, offset + length, 'a');
            return length;
          }

          @Override
          public void close() {}
        };
    assertThatThrownBy(() -> new YamlCharacters(endless, 100_000).peek(200_000))
        .isInstanceOf(MarkedYAMLException.class)
        .hasMessageContaining("a value has more than 100000 characters");
  }
}
