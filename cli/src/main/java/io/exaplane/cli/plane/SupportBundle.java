// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** A tar.gz of texts below one folder, readable by its owner only. Used by one thread. */
public final class SupportBundle implements AutoCloseable {
  private static final int PRIVATE = 0600;
  private final TarArchiveOutputStream tar;
  private final String root;
  private final Date at;
  private final List<String> entries = new ArrayList<>();

  /**
   * Creates the file.
   *
   * @param root the folder of all entries
   * @param at the time of all entries
   * @throws java.nio.file.FileAlreadyExistsException if the file exists
   */
  public SupportBundle(Path file, String root, Instant at) throws IOException {
    OutputStream out =
        Files.newOutputStream(
            Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
            StandardOpenOption.WRITE);
    tar = new TarArchiveOutputStream(new GZIPOutputStream(new BufferedOutputStream(out)));
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    this.root = root;
    this.at = Date.from(at);
  }

  /** Adds a text; an empty one is left out. */
  public void add(String name, String text) throws IOException {
    if (text.isEmpty()) {
      return;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    TarArchiveEntry entry = new TarArchiveEntry(root + "/" + name);
    entry.setSize(bytes.length);
    entry.setMode(PRIVATE);
    entry.setModTime(at);
    tar.putArchiveEntry(entry);
    tar.write(bytes);
    tar.closeArchiveEntry();
    entries.add(name);
  }

  /** Names of the entries, without the folder. */
  public List<String> entries() {
    return List.copyOf(entries);
  }

  @Override
  public void close() throws IOException {
    tar.close();
  }
}
