// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds an audit event in a line of text: behind the prefix of a container runtime, a node, a pod
 * or a time; as a string or as a field of comma-separated values; as the text that kube-apiserver
 * writes with {@code --audit-log-format=legacy}. One thread.
 */
final class AuditText {
  private static final int MOST_BRACES = 8;
  private static final Pattern CRI =
      Pattern.compile("\\S+ (stdout|stderr) ([FP])(?::\\S*)? ?(.*)", Pattern.DOTALL);
  private static final String ARROW = "\"=>";
  private static final String LEGACY = " AUDIT: id=\"";
  private static final Pattern PAIR = Pattern.compile("([a-z-]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  private final AuditValues values;
  private final Map<String, StringBuilder> partsOfStreams = new HashMap<>();

  AuditText(AuditValues values) {
    this.values = values;
  }

  /** A look that costs little: no event is without one of these words. */
  private static boolean mayHoldEvent(String content) {
    return content.contains("requestURI")
        || content.contains("RequestUri")
        || content.contains("stage\"")
        || content.contains("stage\\")
        || content.contains("protoPayload")
        || content.contains("audit.k8s.io")
        || content.contains(" AUDIT: ");
  }

  /** Whether a text is one by itself and no rest of another. */
  static boolean begins(String content) {
    return content.startsWith("{") || content.startsWith("[{");
  }

  /** Whether there was an event in it, or a part of one that is kept. */
  boolean read(String content, String name, int depth) throws IOException {
    Matcher cri = CRI.matcher(content);
    if (content.contains(" std") && cri.matches()) {
      StringBuilder line = partsOfStreams.computeIfAbsent(cri.group(1), s -> new StringBuilder());
      line.append(cri.group(3));
      if (cri.group(2).equals("P")) {
        return true;
      }
      String whole = line.toString();
      partsOfStreams.remove(cri.group(1));
      return values.text(whole, name, depth + 1);
    }
    if (!mayHoldEvent(content)) {
      return false;
    }
    int legacy = content.indexOf(LEGACY);
    if (legacy > 0) {
      String time = content.substring(content.lastIndexOf(' ', legacy - 1) + 1, legacy);
      return legacy(time, content.substring(legacy));
    }
    return braces(content.contains(ARROW) ? ofArrows(content) : content, name, depth);
  }

  /** Fluent Bit's output for people has arrows for colons, and nil for null. */
  private static String ofArrows(String content) {
    return content.replace(ARROW + "nil", "\":null").replace(ARROW, "\":");
  }

  private boolean braces(String content, String name, int depth) throws IOException {
    int brace = content.indexOf('{');
    for (int i = 0; i < MOST_BRACES && brace >= 0; i++) {
      Boolean found = brace(content, brace, name, depth);
      if (found == null) {
        return values.keep(content.substring(brace), name);
      }
      if (found) {
        return true;
      }
      brace = content.indexOf('{', brace + 1);
    }
    return false;
  }

  private Boolean brace(String content, int brace, String name, int depth) throws IOException {
    boolean quoted = brace > 0 && content.charAt(brace - 1) == '"';
    if (quoted && content.startsWith("\"\"", brace + 1)) {
      return values.text(separated(content, brace), name, depth + 1);
    }
    if (quoted && Boolean.TRUE.equals(values.json(content, brace - 1, name, depth))) {
      return true;
    }
    boolean list = brace > 0 && content.charAt(brace - 1) == '[';
    return values.json(content, list ? brace - 1 : brace, name, depth);
  }

  /** A field of comma-separated values, in which quotes are doubled. */
  private static String separated(String content, int from) {
    StringBuilder field = new StringBuilder();
    for (int i = from; i < content.length(); i++) {
      char c = content.charAt(i);
      if (c == '"') {
        i++;
        if (i == content.length() || content.charAt(i) != '"') {
          break;
        }
      }
      field.append(c);
    }
    return field.toString();
  }

  private boolean legacy(String time, String pairs) {
    Map<String, String> words = new HashMap<>();
    Matcher pair = PAIR.matcher(pairs);
    while (pair.find()) {
      words.put(pair.group(1), pair.group(2).replaceAll("\\\\(.)", "$1"));
    }
    String response = words.get("response");
    if (response == null) {
      return false; // the last of them
    }
    AuditFields fields = new AuditFields();
    fields.line(
        time,
        words.getOrDefault("stage", ""),
        words.getOrDefault("ip", ""),
        words.getOrDefault("method", ""),
        words.getOrDefault("user", ""),
        words.getOrDefault("user-agent", ""));
    fields.asked(
        words.getOrDefault("uri", ""), response.matches("\\d{3}") ? Integer.parseInt(response) : 0);
    values.add(fields);
    return true;
  }

  /** How many lines began in a stream and never ended. */
  int unfinished() {
    return partsOfStreams.size();
  }
}
