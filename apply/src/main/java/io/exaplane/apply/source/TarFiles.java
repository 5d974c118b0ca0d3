// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads the wanted files of a tar archive in the forms ustar, pax and GNU, with bounds on headers,
 * which libraries read into memory at whatever length they claim. Nothing is written to a disk, no
 * link is followed, and sparse files are refused. One thread.
 */
final class TarFiles {
  private static final int BLOCK = 512;
  private static final int MOST_HEADER = 1 << 20;

  /** A layer of a container image names what is gone from the layers below. */
  private static final String WHITEOUT = ".wh.";

  private final InputStream in;
  private final Tree tree;
  private String longName = "";
  private String paxPath = "";
  private long paxSize = -1;

  /**
   * Of a stream.
   *
   * @param in unpacked bytes, already bounded; stays open
   * @param tree takes the files
   */
  TarFiles(InputStream in, Tree tree) {
    this.in = in;
    this.tree = tree;
  }

  void read() throws IOException, Refused {
    byte[] header = new byte[BLOCK];
    while (true) {
      int count = in.readNBytes(header, 0, BLOCK);
      if (count == 0 || count == BLOCK && isZero(header)) {
        in.transferTo(java.io.OutputStream.nullOutputStream());
        return;
      }
      if (count < BLOCK || !isSound(header)) {
        throw bad("has a header that is damaged");
      }
      entry(header);
    }
  }

  private void entry(byte[] header) throws IOException, Refused {
    long size = number(header, 124, 12);
    char type = (char) header[156];
    switch (type) {
      case 'L' -> longName = text(small(size));
      case 'K' -> small(size);
      case 'x' -> pax(small(size));
      case 'g' -> small(size);
      default -> {
        String path = Tree.path("source", name(header));
        long own = paxSize >= 0 ? paxSize : size;
        longName = "";
        paxPath = "";
        paxSize = -1;
        member(type, path, own);
      }
    }
  }

  private void member(char type, String path, long size) throws IOException, Refused {
    if (path.substring(path.lastIndexOf('/') + 1).startsWith(WHITEOUT)) {
      throw bad("deletes a file of an earlier layer, " + path);
    }
    switch (type) {
      case '0', '\0', '7' -> {
        if (Tree.wants(path)) {
          tree.requireRoom(path, size);
          byte[] content = in.readNBytes((int) size);
          if (content.length < size) {
            throw new EOFException("the archive ends inside of a file");
          }
          tree.add(path, content);
          pad(size);
        } else {
          skip(size);
        }
      }
      case '1', '2' -> {
        tree.link(path);
        skip(size);
      }
      case '5' -> skip(size);
      case 'S' -> throw bad("has a sparse file, " + path);
      default -> {
        // A device or a pipe: no manifest.
        tree.link(path);
        skip(size);
      }
    }
  }

  private String name(byte[] header) {
    if (!paxPath.isEmpty()) {
      return paxPath;
    }
    if (!longName.isEmpty()) {
      return longName;
    }
    String name = word(header, 0, 100);
    boolean isUstar = word(header, 257, 6).equals("ustar");
    String prefix = isUstar ? word(header, 345, 155) : "";
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  /** Records of {@code LENGTH KEY=VALUE\n}; only the path and the size matter. */
  private void pax(byte[] records) throws Refused {
    int at = 0;
    while (at < records.length && records[at] != 0) {
      int space = at;
      long length = 0;
      while (space < records.length && records[space] >= '0' && records[space] <= '9') {
        length = Math.min(length * 10 + records[space] - '0', MOST_HEADER + 1L);
        space++;
      }
      boolean isWhole =
          space > at
              && space < records.length
              && records[space] == ' '
              && length > space - at + 1
              && at + length <= records.length;
      if (!isWhole) {
        throw bad("has extended headers that are damaged");
      }
      String record =
          new String(records, space + 1, (int) (at + length - space - 2), StandardCharsets.UTF_8);
      int equals = record.indexOf('=');
      String key = equals < 0 ? record : record.substring(0, equals);
      String value = record.substring(equals + 1);
      if (key.startsWith("GNU.sparse.")) {
        throw bad("has a sparse file");
      }
      if (key.equals("path")) {
        paxPath = value;
      } else if (key.equals("size")) {
        paxSize = size(value);
      }
      at += (int) length;
    }
  }

  private static long size(String value) throws Refused {
    if (!value.matches("[0-9]{1,18}")) {
      throw bad("has extended headers that are damaged");
    }
    return Long.parseLong(value);
  }

  private byte[] small(long size) throws IOException, Refused {
    if (size > MOST_HEADER) {
      throw bad("has a header above 1 MiB");
    }
    byte[] content = in.readNBytes((int) size);
    if (content.length < size) {
      throw new EOFException("the archive ends inside of a header");
    }
    pad(size);
    return content;
  }

  private void pad(long size) throws IOException {
    int rest = (int) (size % BLOCK);
    if (rest > 0) {
      in.skipNBytes(BLOCK - rest);
    }
  }

  private void skip(long size) throws IOException {
    in.skipNBytes(size);
    pad(size);
  }

  private static boolean isZero(byte[] header) {
    for (byte one : header) {
      if (one != 0) {
        return false;
      }
    }
    return true;
  }

  /** The sum of the header, with blanks in place of the sum itself. */
  private static boolean isSound(byte[] header) throws Refused {
    long sum = 0;
    for (int at = 0; at < BLOCK; at++) {
      sum += at >= 148 && at < 156 ? ' ' : header[at] & 0xff;
    }
    return sum == number(header, 148, 8);
  }

  /** Octal digits, or GNU's binary form for what has more of them. */
  private static long number(byte[] header, int from, int length) throws Refused {
    long value = 0;
    if ((header[from] & 0x80) != 0) {
      for (int at = from + length - 8; at < from + length; at++) {
        value = value << 8 | header[at] & 0xff;
      }
      if (value < 0) {
        throw bad("has a size that is too large");
      }
      return value;
    }
    for (int at = from; at < from + length; at++) {
      if (header[at] >= '0' && header[at] <= '7') {
        value = value * 8 + header[at] - '0';
      } else if (header[at] != ' ' && header[at] != 0) {
        throw bad("has a header that is damaged");
      }
    }
    return value;
  }

  private static String word(byte[] header, int from, int length) {
    int end = from;
    while (end < from + length && header[end] != 0) {
      end++;
    }
    return new String(header, from, end - from, StandardCharsets.UTF_8).strip();
  }

  private static String text(byte[] content) {
    int end = 0;
    while (end < content.length && content[end] != 0) {
      end++;
    }
    return new String(content, 0, end, StandardCharsets.UTF_8);
  }

  private static Refused bad(String rule) {
    return Refused.lasting(
        "source", "", "is a tar archive that " + rule, "build the artifact again");
  }
}
