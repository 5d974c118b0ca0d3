// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ProgressMonitor;
import org.eclipse.jgit.transport.PackParser;

/**
 * A repository for one fetch, which takes no object above a size, and no pack above a number of
 * objects: JGit unpacks in memory, and makes room for all objects that the header of a pack claims.
 */
final class GitStore extends FileRepository {
  static final int MOST_OBJECTS = 200_000;
  private static final int HEADER = 12;
  private static final int COUNT_AT = 8;

  private final long mostObjectBytes;
  private final Runnable packBegins;

  /**
   * In a folder.
   *
   * @param packBegins is run before the first byte of a pack is read
   */
  GitStore(File folder, long mostObjectBytes, Runnable packBegins) throws IOException {
    super(folder);
    this.mostObjectBytes = mostObjectBytes;
    this.packBegins = packBegins;
  }

  /** A pack claims to have too many objects. */
  static final class TooMany extends IOException {
    private static final long serialVersionUID = 1;

    TooMany() {
      super("more objects than allowed");
    }
  }

  @Override
  public ObjectInserter newObjectInserter() {
    ObjectInserter plain = super.newObjectInserter();
    return new ObjectInserter.Filter() {
      @Override
      protected ObjectInserter delegate() {
        return plain;
      }

      @Override
      public PackParser newPackParser(InputStream in) throws IOException {
        packBegins.run();
        PackParser parser = plain.newPackParser(bounded(in));
        parser.setMaxObjectSizeLimit(mostObjectBytes);
        return parser;
      }
    };
  }

  /**
   * Nothing: after a fetch, JGit would collect garbage in a thread of its own, and write files into
   * a folder that is being deleted.
   */
  @Override
  public void autoGC(ProgressMonitor monitor) {}

  private static InputStream bounded(InputStream in) throws IOException {
    byte[] header = in.readNBytes(HEADER);
    if (header.length == HEADER
        && Integer.toUnsignedLong(ByteBuffer.wrap(header).getInt(COUNT_AT)) > MOST_OBJECTS) {
      throw new TooMany();
    }
    PushbackInputStream whole = new PushbackInputStream(in, HEADER);
    whole.unread(header);
    return whole;
  }
}
