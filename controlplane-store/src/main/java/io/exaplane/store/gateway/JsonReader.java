// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.gateway;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads JSON: objects as maps, arrays as lists, texts as strings, numbers as {@link Number}, true,
 * false and null. For one thread.
 */
final class JsonReader {
  /** A number as it was written. */
  record Number(String text) {}

  private static final int MOST_DEPTH = 100;
  private static final int HEXADECIMAL = 16;
  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?");

  private final String text;
  private int at;
  private int depth;

  JsonReader(String text) {
    this.text = text;
  }

  /** Whether a text is a number as JSON has it. */
  static boolean isNumber(String text) {
    return NUMBER.matcher(text).matches();
  }

  /** Whether there is nothing more but blanks. */
  boolean atEnd() {
    skipBlanks();
    return at == text.length();
  }

  /**
   * The next value.
   *
   * @throws IllegalArgumentException if it is no JSON
   */
  Object value() {
    skipBlanks();
    if (at == text.length()) {
      throw unexpected("the end");
    }
    return switch (text.charAt(at)) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", Boolean.TRUE);
      case 'f' -> word("false", Boolean.FALSE);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private IllegalArgumentException unexpected(String what) {
    return new IllegalArgumentException(
        "syntax error (offset %d): unexpected %s".formatted(at, what));
  }

  private void skipBlanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  /** Whether the next character, after blanks, is this one; then it is read. */
  private boolean next(char wanted) {
    skipBlanks();
    boolean isIt = at < text.length() && text.charAt(at) == wanted;
    at += isIt ? 1 : 0;
    return isIt;
  }

  private void require(char wanted) {
    if (!next(wanted)) {
      throw unexpected(
          at == text.length() ? "the end" : "%c, want %c".formatted(text.charAt(at), wanted));
    }
  }

  private void deeper() {
    if (++depth > MOST_DEPTH) {
      throw unexpected("depth of more than " + MOST_DEPTH);
    }
  }

  private Map<String, Object> object() {
    deeper();
    Map<String, Object> object = new LinkedHashMap<>();
    require('{');
    if (!next('}')) {
      do {
        skipBlanks();
        String name = string();
        require(':');
        if (object.containsKey(name)) {
          throw new IllegalArgumentException("duplicate field \"%s\"".formatted(name));
        }
        object.put(name, value());
      } while (next(','));
      require('}');
    }
    depth--;
    return object;
  }

  private List<Object> array() {
    deeper();
    List<Object> array = new ArrayList<>();
    require('[');
    if (!next(']')) {
      do {
        array.add(value());
      } while (next(','));
      require(']');
    }
    depth--;
    return array;
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw unexpected("word");
    }
    at += word.length();
    return value;
  }

  private Number number() {
    Matcher matcher = NUMBER.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      throw unexpected("%c".formatted(text.charAt(at)));
    }
    at = matcher.end();
    return new Number(matcher.group());
  }

  private String string() {
    require('"');
    StringBuilder string = new StringBuilder();
    while (at < text.length()) {
      char each = text.charAt(at++);
      if (each == '"') {
        return string.toString();
      }
      if (each < ' ') {
        throw unexpected("control character");
      }
      string.append(each == '\\' ? escaped() : each);
    }
    throw unexpected("the end");
  }

  private char escaped() {
    if (at == text.length()) {
      throw unexpected("the end");
    }
    char each = text.charAt(at++);
    return switch (each) {
      case '"', '\\', '/' -> each;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        if (at + 4 > text.length() || !text.substring(at, at + 4).matches("[0-9a-fA-F]{4}")) {
          throw unexpected("escape");
        }
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 4, at), HEXADECIMAL);
      }
      default -> throw unexpected("escape");
    };
  }
}
