// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GuideTest {
  private static final Path ROOT = Path.of("..");
  private static final Path GUIDE = Path.of("src/main/resources/io/exaplane/cli/plane/guide.txt");
  private static final Path PAGES =
      Path.of("src/main/resources/io/exaplane/cli/plane/pages.properties");
  private static final Pattern CONSTANT = Pattern.compile("(?m)^  (?:@\\w+\\(.*\\) )?(\\w+)[,;(]");

  /** Write it again by {@code ./exa generate}. */
  @Test
  void itIsTheDocumentation() throws IOException {
    Set<String> wanted = new TreeSet<>();
    wanted.add("docs/conditions.md#conditions");
    wanted.add("docs/conditions.md#reasons");
    for (String line : Files.readAllLines(PAGES)) {
      if (!line.startsWith("#")) {
        wanted.addAll(Set.of(line.substring(line.indexOf('=') + 1).split(" ")));
      }
    }
    StringBuilder guide = new StringBuilder();
    for (String page : wanted) {
      String text = section(page);
      assertThat(text).as("the section %s", page).isNotBlank();
      guide.append(Guide.MARK).append(page).append('\n').append(text.strip()).append('\n');
    }
    if (Boolean.getBoolean("exa.generate")) {
      Files.writeString(GUIDE, guide);
    }
    assertThat(GUIDE).as("run './exa generate'").hasContent(guide.toString());
  }

  /**
   * From a heading to the next one that is not below it; without an anchor, the words before all.
   */
  private static String section(String page) throws IOException {
    String[] parts = page.split("#");
    StringBuilder found = new StringBuilder();
    int level = parts.length == 1 ? 1 : 0;
    boolean isCode = false;
    for (String line : Files.readString(ROOT.resolve(parts[0])).split("\n")) {
      isCode ^= line.startsWith("```");
      int depth = isCode ? 0 : line.replaceAll("[^#].*", "").length();
      if (depth > 0 && level > 0 && (depth <= level || parts.length == 1) && !found.isEmpty()) {
        break;
      }
      if (depth > 0 && level == 0 && anchor(line).equals(parts[1])) {
        level = depth;
      }
      if (level > 0) {
        found.append(line).append('\n');
      }
    }
    return found.toString();
  }

  private static String anchor(String heading) {
    return heading
        .replaceFirst("^#+ ", "")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9 _-]", "")
        .replace(' ', '-');
  }

  @Test
  void aReasonSaysWhoHasItAndWhatToDo() {
    Guide.Meaning meaning = Guide.load().of("spaceexceeded").orElseThrow();
    assertThat(meaning.word()).isEqualTo("SpaceExceeded");
    assertThat(meaning.lines())
        .containsExactly(
            "Reason SpaceExceeded: of 'Available', 'Degraded'; StoreShard: 'CapacityAvailable'.");
    assertThat(meaning.sections())
        .singleElement()
        .satisfies(
            section -> {
              assertThat(section.page()).isEqualTo("docs/full-store.md");
              assertThat(section.text()).startsWith("# A store is full").doesNotContain("](");
            });
  }

  @Test
  void aConditionSaysWhatItMeansForEachKind() {
    Guide guide = Guide.load();
    assertThat(guide.of("Available").orElseThrow().lines())
        .hasSizeGreaterThan(1)
        .anyMatch(
            line -> line.startsWith("Condition Available of a ControlPlane, when True: The API"))
        .anyMatch(line -> line.startsWith("Condition Available of a SchedulerPool, when True: "));
    assertThat(guide.of("StoresReady").orElseThrow().sections()).isEmpty();
    assertThat(guide.of("no such word")).isEmpty();
  }

  /** Each of the operator's reasons has words, and so has each condition that is not for tools. */
  @Test
  void everyReasonAndConditionIsKnown() throws IOException {
    Guide guide = Guide.load();
    assertThat(guide.words()).hasSizeGreaterThan(150).doesNotHaveDuplicates();
    Path types = ROOT.resolve("crds/src/main/java/io/exaplane/api/v1alpha1");
    Stream<String> reasons =
        CONSTANT
            .matcher(Files.readString(types.resolve("Reason.java")))
            .results()
            .map((MatchResult each) -> each.group(1))
            .filter(each -> !each.equals("AsExpected"));
    assertThat(reasons)
        .isNotEmpty()
        .allSatisfy(each -> assertThat(guide.of(each)).as(each).isPresent());
  }
}
