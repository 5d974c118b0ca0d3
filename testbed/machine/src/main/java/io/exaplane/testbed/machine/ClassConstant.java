// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A text in a class file, and the text that another build of the class would have. Immutable.
 *
 * @param file of the class within its jar
 */
public record ClassConstant(String file, String before, String after) {
  private static final byte UTF8 = 1;

  /**
   * The class file with the other text.
   *
   * @throws AssertionError if the class has the text not exactly once
   */
  public byte[] changed(byte[] content) {
    String text = new String(content, StandardCharsets.ISO_8859_1);
    String was = entry(before);
    int at = text.indexOf(was);
    if (at < 0 || text.indexOf(was, at + 1) >= 0) {
      throw new AssertionError(
          "%s must have the text '%s' once; name another text or class".formatted(file, before));
    }
    return (text.substring(0, at) + entry(after) + text.substring(at + was.length()))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** An entry of the constant pool, a character for each byte: its kind, its length, its text. */
  private static String entry(String constant) {
    byte[] text = constant.getBytes(StandardCharsets.UTF_8);
    ByteBuffer entry = ByteBuffer.allocate(Byte.BYTES + Short.BYTES + text.length);
    entry.put(UTF8).putShort((short) text.length).put(text);
    return new String(entry.array(), StandardCharsets.ISO_8859_1);
  }
}
