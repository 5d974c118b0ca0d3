// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * JSON that a YAML parser takes for the same: servers parse the bodies of server-side applies as
 * YAML, where some characters end a line or are refused. Those get escapes here; JSON has them in
 * strings only. Pure.
 */
final class AsYaml {
  private static final int DELETE = 0x7f;

  private AsYaml() {}

  /** The same array if nothing needs an escape. */
  static byte[] of(byte[] json) {
    ByteArrayOutputStream out = null;
    int copied = 0;
    for (int at = 0; at < json.length; at++) {
      int length = special(json, at);
      if (length > 0) {
        out = out == null ? new ByteArrayOutputStream(json.length + 64) : out;
        out.write(json, copied, at - copied);
        char one = new String(json, at, length, StandardCharsets.UTF_8).charAt(0);
        out.writeBytes("\\u%04x".formatted((int) one).getBytes(StandardCharsets.US_ASCII));
        copied = at + length;
        at = copied - 1;
      }
    }
    if (out == null) {
      return json;
    }
    out.write(json, copied, json.length - copied);
    return out.toByteArray();
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
