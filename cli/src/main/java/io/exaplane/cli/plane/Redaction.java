// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes secrets out of objects and texts before they leave the cluster. Values that only their
 * place shows to be secret (environment, headers, data in binary form) are taken out whatever they
 * are; other texts by the form of what they contain. Counts; used by one thread.
 */
public final class Redaction {
  public static final String REMOVED = "<removed>";

  /** Of a container's environment, the names whose values say how it runs. */
  private static final Set<String> PLAIN =
      Set.of("GOMEMLIMIT", "GOGC", "GOMAXPROCS", "GODEBUG", "POD_NAME", "POD_IP", "POD_NAMESPACE");

  /** Of annotations, those that the operator and Kubernetes write. */
  private static final Pattern OWN_ANNOTATIONS =
      Pattern.compile("^(exaplane\\.io|deployment\\.kubernetes\\.io|pv\\.kubernetes\\.io)/.*");

  /** Reasons whose words about add-ons are names; other words repeat what is in a source. */
  private static final Set<String> OF_NAMES =
      Set.of(
          "AsExpected",
          "Paused",
          "AddonsApplying",
          "AddonCycle",
          "AddonSourceUnreadable",
          "DefinitionsDoNotFit",
          "AddonRemoved");

  private static final String MANIFEST = "\\bkind\\\\*[\"']?\\s*:\\s*\\\\*[\"']?Secret(?:List)?\\b";

  /** The keys of a Secret have any name, so that of a text with one nothing stays. */
  private static final Pattern SECRET_MANIFEST = Pattern.compile(MANIFEST);

  private static final String WORDS =
      "(?:password|passwd|token|secret|credentials?|api[-_]?key|access[-_]?key|private[-_]?key"
          + "|client[-_]?key[-_]?data|key[-_]?data|authorization|bearer|cookie)";
  private static final Pattern SECRET_KEY =
      Pattern.compile("(?i)^(?:.*[-_./]|.*[a-z])?" + WORDS + "$");
  private static final Pattern SECRET_FLAG =
      Pattern.compile("(?i)^(--?[\\w.-]*" + WORDS + ")(=(.*))?$", Pattern.DOTALL);

  /**
   * Forms of secrets in texts. What a group catches stays. A log has megabytes in a line: nothing
   * here tries a long text from each of its letters, and groups repeat without a stack.
   */
  private static final List<Pattern> FORMS =
      List.of(
          Pattern.compile("^.*" + MANIFEST + ".*$", Pattern.MULTILINE),
          Pattern.compile(
              "-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\\z)",
              Pattern.DOTALL),
          Pattern.compile(
              "LS0tLS1CRUdJTi[A-Za-z0-9+/=]*(?:\\s+[A-Za-z0-9+/=]{24,})*+(?:\\s+[A-Za-z0-9+/]+={1,2})?"),
          Pattern.compile(
              "\\beyJ[A-Za-z0-9_-]{6,2000}+\\.[A-Za-z0-9_-]{6,}+(?:\\.[A-Za-z0-9_-]*+)?"),
          Pattern.compile("(?i)(\\b(?:bearer|basic)\\s+)[A-Za-z0-9._~+/=-]{6,}"),
          Pattern.compile("([a-z][a-z0-9+.-]{0,30}://)[^/\\s:@]+:[^/\\s@]+(?=@)"),
          // Also in JSON inside a text, and in a block of YAML.
          Pattern.compile(
              "(?i)("
                  + WORDS
                  + "\\\\*[\"']?\\s*[:=][ \\t]*(?:\\n[ \\t]+)?)(?!<removed>)(?:\\\\*\"[^\"]*\"|'[^']*'"
                  + "|[|>][-+0-9]*[ \\t]*\\n(?:[ \\t]+[^\\n]*\\n?)++|[\"']?[^\\s\"',;&}\\\\]+)"),
          Pattern.compile("\\b[a-z0-9]{6}\\.[a-z0-9]{16}\\b"),
          Pattern.compile("\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b"),
          Pattern.compile(
              "\\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\\w{20,}|glpat-[\\w-]{16,}|xox[abprs]-[\\w-]{10,})"));

  private int removed;

  /** How many values were taken out. */
  public int removed() {
    return removed;
  }

  /** A text without what has the form of a secret. */
  public String text(String text) {
    String clean = text;
    for (Pattern form : FORMS) {
      Matcher matcher = form.matcher(clean);
      StringBuilder rest = new StringBuilder();
      while (matcher.find()) {
        removed++;
        String kept = matcher.groupCount() > 0 && matcher.group(1) != null ? matcher.group(1) : "";
        matcher.appendReplacement(rest, Matcher.quoteReplacement(kept + REMOVED));
      }
      clean = matcher.appendTail(rest).toString();
    }
    return clean;
  }

  /** What an Event says. */
  public String message(String reason, String message) {
    return (isOfAddons(reason) ? taken() : clean(message)).asText();
  }

  private static boolean isOfAddons(String reason) {
    return reason.startsWith("Addon") && !OF_NAMES.contains(reason);
  }

  /** An object without its secrets, and without what only programs read; the given one stays. */
  public JsonNode object(JsonNode object) {
    JsonNode copy = object.deepCopy();
    if (copy instanceof ObjectNode top) {
      if (top.path("metadata") instanceof ObjectNode metadata) {
        metadata.remove("managedFields");
      }
      if (top.remove("binaryData") != null) {
        removed++;
      }
      fields("", top);
    }
    return copy;
  }

  private void fields(String parent, ObjectNode node) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      field.setValue(value(parent, field.getKey(), field.getValue(), node));
    }
  }

  private JsonNode value(String parent, String key, JsonNode value, ObjectNode node) {
    if (isOfSource(parent, key, node)) {
      return taken();
    }
    if (value instanceof ObjectNode object) {
      if (key.equals("annotations")) {
        annotations(object);
      } else {
        fields(key, object);
      }
      return object;
    }
    if (value instanceof ArrayNode array) {
      array(key, array);
      return array;
    }
    if (value.isNumber() && isSecret(parent, key, node)) {
      return taken();
    }
    if (!value.isTextual()) {
      return value;
    }
    return isSecret(parent, key, node) ? taken() : clean(value.asText());
  }

  /** Whether it is what an add-on brings, or words about it: both may hold a user's Secret. */
  private static boolean isOfSource(String parent, String key, ObjectNode node) {
    return switch (key) {
      case "inline" -> parent.equals("addons");
      case "message" ->
          switch (parent) {
            case "addons" -> !OF_NAMES.contains(node.path("reason").asText());
            case "failures" -> true;
            default -> isOfAddons(node.path("reason").asText());
          };
      default -> false;
    };
  }

  private boolean isSecret(String parent, String key, ObjectNode node) {
    if (key.equals("value")) {
      String name = node.path("name").asText();
      return switch (parent) {
        case "env" -> !PLAIN.contains(name);
        case "httpHeaders" -> true;
        default -> SECRET_KEY.matcher(name).matches();
      };
    }
    // The name of a Secret, which no API lets out of its kind.
    boolean isName = key.equals("secret") && parent.equals("certificates");
    return !isName && SECRET_KEY.matcher(key).matches();
  }

  private void annotations(ObjectNode annotations) {
    for (Map.Entry<String, JsonNode> each : annotations.properties()) {
      boolean own = OWN_ANNOTATIONS.matcher(each.getKey()).matches();
      each.setValue(own ? clean(each.getValue().asText()) : taken());
    }
  }

  private void array(String key, ArrayNode array) {
    boolean words = key.equals("args") || key.equals("command");
    boolean secretNext = false;
    for (int i = 0; i < array.size(); i++) {
      JsonNode each = array.get(i);
      if (each instanceof ObjectNode object) {
        fields(key, object);
      } else if (each instanceof ArrayNode inner) {
        array(key, inner);
      } else if (each.isTextual()) {
        String text = each.asText();
        Matcher flag = SECRET_FLAG.matcher(text);
        boolean isFlag = words && flag.matches();
        if (secretNext && !text.startsWith("-")) {
          array.set(i, taken());
        } else if (isFlag && flag.group(2) != null) {
          removed++;
          array.set(i, TextNode.valueOf(flag.group(1) + "=" + REMOVED));
        } else {
          array.set(i, clean(text));
        }
        secretNext = isFlag && flag.group(2) == null;
      }
    }
  }

  private JsonNode taken() {
    removed++;
    return JsonNodeFactory.instance.textNode(REMOVED);
  }

  private JsonNode clean(String text) {
    if (SECRET_MANIFEST.matcher(text).find()) {
      return taken();
    }
    return JsonNodeFactory.instance.textNode(text(text));
  }
}
