// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.transport.PackParser;

/** A repository for one fetch, which takes no object above a size: JGit unpacks in memory. */
final class GitStore extends FileRepository {
  private final long mostObjectBytes;

  GitStore(File folder, long mostObjectBytes) throws IOException {
    super(folder);
    this.mostObjectBytes = mostObjectBytes;
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
        PackParser parser = plain.newPackParser(in);
        parser.setMaxObjectSizeLimit(mostObjectBytes);
        return parser;
      }
    };
  }
}
