// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The plain bytes of a file, recognised by how it begins and not by its name: gzip is unpacked, and
 * UTF-16, which PowerShell writes, becomes UTF-8. Archives of several files are taken apart for who
 * wants that.
 */
public final class Unpacked {
  private static final int BUFFER = 1 << 18;
  private static final int GZIP = 0x1f8b;
  private static final int ZIP = 0x504b0304;

  /** So many letters of ASCII tell UTF-16 without its mark. */
  private static final int LETTERS = 8;

  private static final int PEEKED = Tar.MAGIC_AT + Tar.MAGIC.length;

  /** How other programs' files begin, and the command that unpacks them. */
  private enum Other {
    ZSTD("28b52ffd", "zstd", "zstd -d"),
    XZ("fd377a585a00", "xz", "unxz"),
    LZMA("5d0000", "lzma", "unlzma"),
    BZIP2("425a68", "bzip2", "bunzip2"),
    LZ4("04224d18", "lz4", "lz4 -d"),
    LZ4_OF_BEFORE("02214c18", "lz4", "lz4 -d"),
    LZIP("4c5a4950", "lzip", "lzip -d"),
    SNAPPY("ff060000734e61507059", "snappy", "snzip -d"),
    COMPRESS("1f9d", "compress", "uncompress"),
    SEVEN_ZIP("377abcaf271c", "7z", "7z x");

    private final byte[] magic;
    private final String form;
    private final String command;

    Other(String magic, String form, String command) {
      this.magic = HexFormat.of().parseHex(magic);
      this.form = form;
      this.command = command;
    }
  }

  /** A file is packed by a program whose form is not read here, or is an archive. */
  public static final class PackedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String command;

    private PackedException(String rule, String command) {
      super(rule);
      this.command = command;
    }

    /** The command that unpacks the file, without the file's name. */
    public String command() {
      return command;
    }
  }

  /** Takes one plain file. */
  public interface Part {
    void read(InputStream plain) throws IOException;
  }

  private Unpacked() {}

  /**
   * Of a stream.
   *
   * @throws IOException if it can't be read, or is packed in a way that is not read here
   */
  public static InputStream of(InputStream packed) throws IOException {
    BufferedInputStream in = ungzipped(packed);
    byte[] start = peek(in, PEEKED);
    if (isTar(start)) {
      throw new PackedException("is an archive of files (tar)", "tar xf");
    }
    if (isZip(start)) {
      throw new PackedException("is an archive of files (zip)", "unzip");
    }
    return plain(in, start);
  }

  /**
   * Reads a stream, or each file of the tar or zip archive that it is, in the archive's order.
   *
   * @throws IOException as {@link #of}, or if the archive is damaged; what was read before stays
   */
  public static void forEach(InputStream packed, Part part) throws IOException {
    BufferedInputStream in = ungzipped(packed);
    byte[] start = peek(in, PEEKED);
    if (isTar(start)) {
      Tar tar = new Tar(in);
      while (tar.next()) {
        part.read(of(tar.file()));
      }
    } else if (isZip(start)) {
      ZipInputStream zip = new ZipInputStream(in);
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (!entry.isDirectory()) {
          part.read(of(zip));
        }
      }
    } else {
      part.read(plain(in, start));
    }
  }

  private static BufferedInputStream ungzipped(InputStream packed) throws IOException {
    BufferedInputStream in = new BufferedInputStream(packed, BUFFER);
    byte[] start = peek(in, PEEKED);
    return begins(start, 0, GZIP >> 8, GZIP & 0xff)
        ? ungzipped(new GZIPInputStream(in, BUFFER))
        : in;
  }

  private static boolean isTar(byte[] start) {
    return start.length >= PEEKED
        && Arrays.equals(start, Tar.MAGIC_AT, PEEKED, Tar.MAGIC, 0, Tar.MAGIC.length);
  }

  private static boolean isZip(byte[] start) {
    return begins(start, 0, ZIP >> 24, ZIP >> 16 & 0xff, ZIP >> 8 & 0xff, ZIP & 0xff);
  }

  private static InputStream plain(BufferedInputStream in, byte[] start) throws IOException {
    for (Other other : Other.values()) {
      if (start.length >= other.magic.length
          && Arrays.equals(start, 0, other.magic.length, other.magic, 0, other.magic.length)) {
        throw new PackedException(
            "is compressed with " + other.form + "; only gzip, tar and zip are supported",
            other.command);
      }
    }
    if (begins(start, 0, 0xff, 0xfe) || begins(start, 0, 0xfe, 0xff)) {
      return utf8(in, StandardCharsets.UTF_16);
    }
    if (isWide(start, 1)) {
      return utf8(in, StandardCharsets.UTF_16LE);
    }
    if (isWide(start, 0)) {
      return utf8(in, StandardCharsets.UTF_16BE);
    }
    if (begins(start, 0, 0xef, 0xbb, 0xbf)) {
      in.skipNBytes(3);
    }
    return in;
  }

  /** Whether each letter has its zero byte at a place, as some programs write UTF-16. */
  private static boolean isWide(byte[] start, int zero) {
    boolean wide = start.length >= 2 * LETTERS;
    for (int i = 0; wide && i < LETTERS; i++) {
      wide = start[2 * i + zero] == 0 && start[2 * i + 1 - zero] > 0;
    }
    return wide;
  }

  private static byte[] peek(BufferedInputStream in, int count) throws IOException {
    in.mark(count);
    byte[] start = in.readNBytes(count);
    in.reset();
    return start;
  }

  private static boolean begins(byte[] start, int at, int... magic) {
    if (start.length < at + magic.length) {
      return false;
    }
    for (int i = 0; i < magic.length; i++) {
      if ((start[at + i] & 0xff) != magic[i]) {
        return false;
      }
    }
    return true;
  }

  private static InputStream utf8(InputStream in, Charset from) {
    Reader reader = new InputStreamReader(in, from);
    return new InputStream() {
      private final CharBuffer chars = CharBuffer.allocate(BUFFER);
      private ByteBuffer bytes = ByteBuffer.allocate(0);

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        if (!bytes.hasRemaining() && !fill()) {
          return -1;
        }
        int count = Math.min(length, bytes.remaining());
        bytes.get(into, offset, count);
        return count;
      }

      /** Half of a pair waits for the other one. */
      private boolean fill() throws IOException {
        if (reader.read(chars) < 0 && chars.position() == 0) {
          return false;
        }
        chars.flip();
        int end = chars.limit();
        boolean half = end > 1 && Character.isHighSurrogate(chars.get(end - 1));
        chars.limit(half ? end - 1 : end);
        bytes = StandardCharsets.UTF_8.encode(chars);
        chars.limit(end);
        chars.compact();
        return true;
      }

      @Override
      public void close() throws IOException {
        reader.close();
      }
    };
  }
}
