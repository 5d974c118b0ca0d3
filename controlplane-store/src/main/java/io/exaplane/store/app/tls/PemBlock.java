// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A block of a PEM file, as OpenSSL reads them: a line that begins it, perhaps headers and an empty
 * line, Base64, a line that ends it. What stands around blocks, in whatever encoding, is no matter;
 * a block that is not whole is an error. A mark of the byte order is passed over, too.
 *
 * @param type as CERTIFICATE
 * @param line where it begins, from 1 on
 * @param isEncrypted by a header
 */
record PemBlock(String type, int line, boolean isEncrypted, byte[] content) {
  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final String DASHES = "-----";
  private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

  /**
   * All blocks of a file, in their order.
   *
   * @throws GeneralSecurityException if one is not whole
   */
  static List<PemBlock> all(Path file) throws IOException, GeneralSecurityException {
    String text = FileState.read(file);
    String[] lines = text.replaceFirst("^" + BYTE_ORDER_MARK, "").split("\\r\\n|\\n|\\r", -1);
    List<PemBlock> found = new ArrayList<>();
    for (int i = 0; i < lines.length; i++) {
      String type = named(lines[i], BEGIN);
      if (type != null) {
        int end = end(lines, i, type, file);
        found.add(block(lines, i, end, type, file));
        i = end;
      }
    }
    return found;
  }

  /** What a line begins or ends; null if it does not. */
  private static String named(String line, String what) {
    String bare = line.stripTrailing();
    boolean is =
        bare.startsWith(what)
            && bare.endsWith(DASHES)
            && bare.length() >= what.length() + DASHES.length();
    return is ? bare.substring(what.length(), bare.length() - DASHES.length()) : null;
  }

  private static int end(String[] lines, int begin, String type, Path file)
      throws GeneralSecurityException {
    for (int i = begin + 1; i < lines.length; i++) {
      if (type.equals(named(lines[i], END))) {
        return i;
      }
      if (lines[i].startsWith(DASHES)) {
        break;
      }
    }
    throw new GeneralSecurityException(
        "%s: the block %s of line %d has no end; write the file again"
            .formatted(file, type, begin + 1));
  }

  private static PemBlock block(String[] lines, int begin, int end, String type, Path file)
      throws GeneralSecurityException {
    StringBuilder base64 = new StringBuilder();
    boolean isEncrypted = type.equals("ENCRYPTED PRIVATE KEY");
    boolean isHeader = lines[begin + 1].contains(":");
    for (int i = begin + 1; i < end; i++) {
      if (isHeader) {
        isEncrypted |= lines[i].contains("ENCRYPTED");
        isHeader = !lines[i].isBlank();
      } else {
        base64.append(lines[i].replaceAll("\\s", ""));
      }
    }
    try {
      byte[] content = Base64.getDecoder().decode(base64.toString());
      return new PemBlock(type, begin + 1, isEncrypted, content);
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException(
          "%s: the block %s of line %d is not Base64; write the file again"
              .formatted(file, type, begin + 1),
          e);
    }
  }
}
