// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the documentation says of conditions and reasons, for people at a terminal. {@code ./exa
 * generate} writes the text from the pages. Immutable.
 */
public final class Guide {
  /** In front of each section, with the page and the anchor. */
  public static final String MARK = "@@ ";

  private static final Pattern HEAD = Pattern.compile("^\\| condition of an? (\\w+) \\|.*");
  private static final Pattern CONDITION = Pattern.compile("^\\| `(\\w+)` \\| (.*) \\|$");
  private static final Pattern REASON = Pattern.compile("^\\| `(\\w+)` \\| (.*?) \\| (.*) \\|$");
  private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
  private static final String CONDITIONS = "docs/conditions.md#conditions";
  private static final String REASONS = "docs/conditions.md#reasons";

  private final Map<String, String> sections = new LinkedHashMap<>();

  /** What a word means. Immutable. */
  public record Meaning(String word, List<String> lines, List<Section> sections) {}

  /** A part of a page. Immutable. */
  public record Section(String page, String text) {}

  private Guide(String text) {
    String page = "";
    StringBuilder section = new StringBuilder();
    for (String line : (text + "\n" + MARK).split("\n")) {
      if (line.startsWith(MARK.strip())) {
        sections.put(page, section.toString().strip());
        page = line.substring(MARK.strip().length()).strip();
        section.setLength(0);
      } else {
        section.append(line).append('\n');
      }
    }
  }

  /** The guide of this version. */
  public static Guide load() {
    try (InputStream in = Guide.class.getResourceAsStream("guide.txt")) {
      return new Guide(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a condition or a reason means, in any case of letters; nothing for other words. */
  public Optional<Meaning> of(String word) {
    List<String> lines = new ArrayList<>(conditions(word));
    String found = lines.isEmpty() ? null : spelled(word, CONDITIONS);
    List<Section> pages = new ArrayList<>();
    for (String line : sections.getOrDefault(REASONS, "").split("\n")) {
      Matcher row = REASON.matcher(line);
      if (row.matches() && row.group(1).equalsIgnoreCase(word)) {
        found = row.group(1);
        lines.add("Reason " + found + ": of " + plain(row.group(2)) + ".");
        Pages.of(found).forEach(page -> pages.add(new Section(page, plain(section(page)))));
      }
    }
    return found == null
        ? Optional.empty()
        : Optional.of(new Meaning(found, List.copyOf(lines), List.copyOf(pages)));
  }

  /** All words that have a meaning, conditions first. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    for (String section : List.of(CONDITIONS, REASONS)) {
      for (String line : sections.getOrDefault(section, "").split("\n")) {
        Matcher row = CONDITION.matcher(line);
        if (row.matches() && !words.contains(row.group(1))) {
          words.add(row.group(1));
        }
      }
    }
    return words;
  }

  private List<String> conditions(String word) {
    List<String> lines = new ArrayList<>();
    String kind = "";
    for (String line : sections.getOrDefault(CONDITIONS, "").split("\n")) {
      Matcher head = HEAD.matcher(line);
      Matcher row = CONDITION.matcher(line);
      if (head.matches()) {
        kind = head.group(1);
      } else if (row.matches() && row.group(1).equalsIgnoreCase(word)) {
        lines.add(
            "Condition %s of a %s, when True: %s"
                .formatted(row.group(1), kind, plain(row.group(2))));
      }
    }
    return lines;
  }

  private String spelled(String word, String section) {
    for (String line : sections.get(section).split("\n")) {
      Matcher row = CONDITION.matcher(line);
      if (row.matches() && row.group(1).equalsIgnoreCase(word)) {
        return row.group(1);
      }
    }
    return word;
  }

  private String section(String page) {
    return sections.getOrDefault(page, "");
  }

  /** Without the links of Markdown, which lead nowhere in a terminal. */
  private static String plain(String text) {
    return LINK.matcher(text).replaceAll("$1").replace("`", "'");
  }
}
