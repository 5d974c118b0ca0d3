// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * JSON that a YAML parser takes for the same: servers parse the bodies of server-side applies as
 * YAML, where some characters end a line or are refused, and where an escape is a whole character.
 * So characters of the first kind get escapes here, and two escapes for the halves of one character
 * become that character. JSON has both in strings only. Pure.
 */
final class AsYaml {
  private static final int DELETE = 0x7f;

  /** Bytes of an escape with four hexadecimal digits. */
  private static final int ESCAPE = 6;

  private AsYaml() {}

  /** The same array if nothing needs a change. */
  static byte[] of(byte[] json) {
    ByteArrayOutputStream out = null;
    int copied = 0;
    for (int at = 0; at < json.length; at++) {
      boolean isEscape = json[at] == '\\';
      int whole = isEscape ? pair(json, at) : 0;
      int length = isEscape ? (whole > 0 ? 2 * ESCAPE : 0) : special(json, at);
      if (length == 0) {
        at += isEscape ? 1 : 0; // whatever follows belongs to the escape
        continue;
      }
      out = out == null ? new ByteArrayOutputStream(json.length + 64) : out;
      out.write(json, copied, at - copied);
      out.writeBytes(isEscape ? raw(whole) : escaped(json, at, length));
      copied = at + length;
      at = copied - 1;
    }
    if (out == null) {
      return json;
    }
    out.write(json, copied, json.length - copied);
    return out.toByteArray();
  }

  private static byte[] raw(int whole) {
    return Character.toString(whole).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] escaped(byte[] json, int at, int length) {
    char one = new String(json, at, length, StandardCharsets.UTF_8).charAt(0);
    return "\\u%04x".formatted((int) one).getBytes(StandardCharsets.US_ASCII);
  }

  /** The character of whose halves two escapes begin there; 0 for none. */
  private static int pair(byte[] json, int at) {
    int high = unit(json, at);
    int low = high < 0 ? -1 : unit(json, at + ESCAPE);
    return low >= 0
            && Character.isHighSurrogate((char) high)
            && Character.isLowSurrogate((char) low)
        ? Character.toCodePoint((char) high, (char) low)
        : 0;
  }

  /** The unit of UTF-16 that an escape stands for; -1 if none begins there. */
  private static int unit(byte[] json, int at) {
    if (at + ESCAPE > json.length || json[at] != '\\' || json[at + 1] != 'u') {
      return -1;
    }
    int unit = 0;
    for (int i = at + 2; i < at + ESCAPE; i++) {
      unit = unit << 4 | Character.digit(json[i], 16);
    }
    return unit;
  }

  /** How many bytes such a character has that begins there; 0 for none. */
  private static int special(byte[] json, int at) {
    int first = json[at] & 0xff;
    if (first == DELETE) {
      return 1;
    }
    if (first == 0xc2) { // U+0080 to U+009F, with NEL
      return at + 1 < json.length && (json[at + 1] & 0xff) < 0xa0 ? 2 : 0;
    }
    if (at + 2 >= json.length) {
      return 0;
    }
    int rest = (json[at + 1] & 0xff) << 8 | json[at + 2] & 0xff;
    if (first == 0xe2) { // U+2028 and U+2029
      return rest == 0x80a8 || rest == 0x80a9 ? 3 : 0;
    }
    if (first == 0xef) { // U+FEFF, U+FFFE and U+FFFF
      return rest == 0xbbbf || rest == 0xbfbe || rest == 0xbfbf ? 3 : 0;
    }
    return 0;
  }
}
