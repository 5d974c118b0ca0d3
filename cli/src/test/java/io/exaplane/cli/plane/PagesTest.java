// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PagesTest {
  private static final Path CONDITIONS = Path.of("../docs/conditions.md");
  private static final Path PAGES =
      Path.of("src/main/resources/io/exaplane/cli/plane/pages.properties");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| .*? \\| (.*) \\|$");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)]+)\\)");

  /** Write them again by {@code ./exa generate}. */
  @Test
  void theyAreThoseOfTheDocumentation() throws IOException {
    Map<String, String> pages = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(CONDITIONS));
    while (row.find()) {
      pages.put(
          row.group(1),
          LINK.matcher(row.group(2))
              .results()
              .map((MatchResult link) -> "docs/" + link.group(1))
              .collect(Collectors.joining(" ")));
    }
    pages.values().removeIf(String::isEmpty);
    StringBuilder text =
        new StringBuilder("# Generated from docs/conditions.md by ./exa generate.\n");
    pages.forEach((reason, links) -> text.append(reason).append('=').append(links).append('\n'));
    if (Boolean.getBoolean("exa.generate")) {
      Files.writeString(PAGES, text);
    }
    assertThat(PAGES).as("run './exa generate'").hasContent(text.toString());
    assertThat(pages).hasSizeGreaterThan(100);
  }

  @Test
  void aReasonThatIsNotKnownHasTheListOfAll() {
    assertThat(Pages.of("NoSuchReason")).containsExactly("docs/conditions.md");
    assertThat(Pages.of("SpaceExceeded")).containsExactly("docs/full-store.md");
  }
}
