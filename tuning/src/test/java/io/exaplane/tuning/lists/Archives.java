// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Archives of files, as tar and zip write them. */
final class Archives {
  private static final int BLOCK = 512;

  private Archives() {}

  /** A folder, a pax header and each file. */
  static byte[] tar(byte[]... files) throws IOException {
    ByteArrayOutputStream tar = new ByteArrayOutputStream();
    entry(tar, "audit/", '5', new byte[0]);
    for (int i = 0; i < files.length; i++) {
      entry(tar, "pax", 'x', "30 mtime=1795341600.123456789\n".getBytes(StandardCharsets.UTF_8));
      entry(tar, "audit/%d.log".formatted(i), '0', files[i]);
    }
    tar.write(new byte[2 * BLOCK]);
    return tar.toByteArray();
  }

  private static void entry(ByteArrayOutputStream tar, String name, char type, byte[] content)
      throws IOException {
    byte[] header = new byte[BLOCK];
    put(header, 0, name);
    put(header, 100, "0000600\0");
    put(header, 124, "%011o ".formatted(content.length));
    put(header, 148, "        ");
    header[156] = (byte) type;
    put(header, 257, "ustar\00000");
    tar.write(header);
    tar.write(content);
    tar.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  static byte[] zip(byte[]... files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("audit/"));
      for (int i = 0; i < files.length; i++) {
        zip.putNextEntry(new ZipEntry("audit/%d.log".formatted(i)));
        zip.write(files[i]);
      }
    }
    return bytes.toByteArray();
  }
}
