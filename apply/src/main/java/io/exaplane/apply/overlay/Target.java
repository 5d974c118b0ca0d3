// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which objects a patch is for. In names, {@code .*} stands for any characters; other regular
 * expressions are refused, since their time has no bound. Immutable.
 */
record Target(
    String group,
    String version,
    String kind,
    String name,
    String namespace,
    Map<String, String> labels) {
  private static final Pattern WORD = Pattern.compile("[-A-Za-z0-9_.:*]{0,253}");
  private static final String ANY = ".*";

  static Target of(String at, JsonNode value) throws OverlayException {
    Fields fields =
        Fields.of(
            at + ".target",
            value,
            Set.of("group", "version", "kind", "name", "namespace", "labelSelector"));
    Target target =
        new Target(
            pattern(fields, "group"),
            pattern(fields, "version"),
            pattern(fields, "kind"),
            pattern(fields, "name"),
            pattern(fields, "namespace"),
            labels(fields));
    if (value.isEmpty()) {
      throw new OverlayException(at + ".target", "", "names no object", "write kind and name");
    }
    return target;
  }

  private static String pattern(Fields fields, String name) throws OverlayException {
    String word = fields.word(name);
    if (!WORD.matcher(word).matches() || word.replace(ANY, "").contains("*")) {
      throw new OverlayException(
          fields.at(name),
          word,
          "is a regular expression",
          "write a name, in which .* stands for any characters");
    }
    return word;
  }

  private static Map<String, String> labels(Fields fields) throws OverlayException {
    Map<String, String> labels = new LinkedHashMap<>();
    String selector = fields.word("labelSelector");
    if (selector.isBlank()) {
      return labels;
    }
    for (String term : selector.split(",")) {
      int equals = term.indexOf('=');
      boolean isPlain = equals > 0 && term.chars().noneMatch(c -> c == '!' || c == '(');
      if (!isPlain) {
        throw new OverlayException(
            fields.at("labelSelector"), selector, "has other terms than key=value", "write app=x");
      }
      String wanted = term.substring(equals + 1);
      labels.put(
          term.substring(0, equals).strip(),
          (wanted.startsWith("=") ? wanted.substring(1) : wanted).strip());
    }
    return labels;
  }

  boolean fits(Item item) {
    boolean isKind =
        matches(group, item.gvk.group())
            && matches(version, item.gvk.version())
            && matches(kind, item.gvk.kind());
    if (!isKind || !item.hasId(id -> matches(name, id.name()) && isIn(id.namespace()))) {
      return false;
    }
    JsonNode own = item.metadata().path("labels");
    return labels.entrySet().stream()
        .allMatch(one -> own.path(one.getKey()).asText("\0").equals(one.getValue()));
  }

  private boolean isIn(String other) {
    return matches(namespace, other);
  }

  /** Linear: each part is looked for behind the one before. */
  private static boolean matches(String pattern, String word) {
    if (pattern.isEmpty()) {
      return true;
    }
    String[] parts = pattern.split(Pattern.quote(ANY), -1);
    if (parts.length == 1) {
      return pattern.equals(word);
    }
    String last = parts[parts.length - 1];
    if (!word.startsWith(parts[0]) || word.length() < parts[0].length() + last.length()) {
      return false;
    }
    int at = parts[0].length();
    for (int part = 1; part < parts.length - 1; part++) {
      int found = word.indexOf(parts[part], at);
      if (found < 0) {
        return false;
      }
      at = found + parts[part].length();
    }
    return word.endsWith(last) && word.length() - last.length() >= at;
  }
}
