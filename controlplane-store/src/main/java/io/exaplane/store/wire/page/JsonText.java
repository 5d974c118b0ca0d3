// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.page;

/** Texts in pages of JSON. Pure. */
public final class JsonText {
  private JsonText() {}

  /** A string of JSON; a text may hold anything. */
  public static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
