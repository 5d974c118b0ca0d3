// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads objects from files and folders in YAML or JSON, strictly. Of a folder, all files that end
 * in {@code .yaml}, {@code .yml} or {@code .json} are read, in the order of their names, also in
 * folders below; names that begin with a dot are left out. A link is followed only to a file inside
 * of the folder. A file may be plain or gzip, whatever its name is; the limit of its bytes holds
 * for what is in it. What is wrong becomes a {@link Problem}, and the other files are read
 * nevertheless. One thread.
 */
public final class ManifestReader {
  /** Bytes of a file, at most. */
  static final int MOST_BYTES = 64 << 20;

  /** Files, at most. */
  static final int MOST_FILES = 100_000;

  /** Folders in each other, at most. */
  static final int MOST_FOLDERS = 50;

  private static final String STANDARD_INPUT = "-";
  private static final int CHUNK = 1 << 16;

  /** How gzip begins, which no text in UTF-8 does. */
  private static final byte[] GZIP = {0x1f, (byte) 0x8b};

  private final Texts texts;
  private final InputStream standardInput;

  /** Null for a reading that has bounds: what it leaves out must not count as read. */
  private final KnownFiles known;

  private int files;
  private long bytes;

  private ManifestReader(InputStream standardInput, Texts texts, KnownFiles known) {
    this.standardInput = standardInput;
    this.texts = texts;
    this.known = known;
  }

  /**
   * Reads all.
   *
   * @param paths files and folders; {@code -} for the standard input
   * @param standardInput for {@code -}; stays open
   * @return what they hold, and what is wrong with them
   */
  public static Reading read(List<Path> paths, InputStream standardInput) {
    return read(paths, standardInput, Map.of());
  }

  /**
   * Reads texts that somebody has already, such as the keys of a ConfigMap. Their names must end
   * like those of files in a folder; others are left out. The limits of files hold.
   *
   * @param texts by name, in whatever order: they are read in the order of their names
   * @return what they hold, and what is wrong with them
   */
  public static Reading read(Map<String, String> texts) {
    return read(List.of(), InputStream.nullInputStream(), texts);
  }

  /**
   * The same within bounds, for texts of others: a few bytes of a text can become an object, and
   * aliases repeat what stands once. If a bound is exceeded, one object more is read, and nothing
   * behind it.
   *
   * @param texts as in {@link #read(Map)}
   * @param mostObjects good ones and bad ones
   * @param mostBytes of the bodies of all objects
   * @return what they hold; more manifests and problems, or bytes of bodies, than a bound if that
   *     is exceeded
   */
  public static Reading read(Map<String, String> texts, int mostObjects, long mostBytes) {
    try (Texts all = new Texts(mostObjects, mostBytes)) {
      return new ManifestReader(InputStream.nullInputStream(), all, null).all(List.of(), texts);
    }
  }

  /**
   * Reads both files and texts; an object may stand once in all of them.
   *
   * @param paths as in {@link #read(List, InputStream)}
   * @param standardInput as there
   * @param texts as in {@link #read(Map)}
   * @return what they hold, and what is wrong with them
   */
  public static Reading read(
      List<Path> paths, InputStream standardInput, Map<String, String> texts) {
    return read(paths, standardInput, texts, new KnownFiles());
  }

  /**
   * The same again and again: files that did not change are not parsed again, and manifests that
   * did not change share their memory with those of the reading before.
   *
   * @param known what that reading left; this one leaves its own there
   * @return what they hold, and what is wrong with them
   */
  public static Reading read(
      List<Path> paths, InputStream standardInput, Map<String, String> texts, KnownFiles known) {
    known.begin();
    try (Texts all = new Texts(Integer.MAX_VALUE, Long.MAX_VALUE)) {
      return new ManifestReader(standardInput, all, known).all(paths, texts);
    }
  }

  private Reading all(List<Path> paths, Map<String, String> given) {
    paths.forEach(this::given);
    new TreeMap<>(given)
        .forEach(
            (name, text) -> {
              if (isManifest(name)) {
                take(name, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
              }
            });
    return new Reading(texts.manifests(), texts.problems(), files, bytes);
  }

  private void given(Path path) {
    if (path.toString().equals(STANDARD_INPUT)) {
      take("<stdin>", standardInput);
    } else if (Files.isDirectory(path)) {
      try {
        folder(path, path.toRealPath(), 1);
      } catch (IOException e) {
        unreadable(path, e);
      }
    } else {
      // The user names this one, so a link may lead anywhere.
      file(path, path, new LinkOption[0]);
    }
  }

  private void folder(Path shown, Path root, int depth) {
    if (depth > MOST_FOLDERS) {
      texts.problem(
          shown.toString(),
          0,
          "folders are nested more than " + MOST_FOLDERS + " times; nest them less");
      return;
    }
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(shown)) {
      all.forEach(entries::add);
    } catch (IOException e) {
      unreadable(shown, e);
      return;
    } catch (DirectoryIteratorException e) {
      unreadable(shown, e.getCause());
      return;
    }
    entries.sort(null);
    for (Path entry : entries) {
      if (!entry.getFileName().toString().startsWith(".")) {
        entry(entry, root, depth);
      }
    }
  }

  private void entry(Path entry, Path root, int depth) {
    if (Files.isSymbolicLink(entry)) {
      link(entry, root);
    } else if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
      folder(entry, root, depth + 1);
    } else if (isManifest(entry)) {
      if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
        file(entry, entry, LinkOption.NOFOLLOW_LINKS);
      } else {
        texts.problem(entry.toString(), 0, "is no regular file; remove it from the folder");
      }
    }
  }

  /** The files of a mounted ConfigMap are links within its folder. */
  private void link(Path entry, Path root) {
    try {
      Path real = entry.toRealPath();
      if (!real.startsWith(root)) {
        texts.problem(
            entry.toString(), 0, "is a link that leads out of the folder; copy the file instead");
      } else if (Files.isDirectory(real)) {
        texts.problem(
            entry.toString(), 0, "is a link to a folder; name that folder itself with -f");
      } else if (isManifest(entry)) {
        file(entry, real, LinkOption.NOFOLLOW_LINKS);
      }
    } catch (NoSuchFileException e) {
      texts.problem(entry.toString(), 0, "is a link that leads nowhere; remove it");
    } catch (IOException e) {
      unreadable(entry, e);
    }
  }

  private static boolean isManifest(Path file) {
    return isManifest(file.getFileName().toString());
  }

  /**
   * Whether a file of a folder is read.
   *
   * @param name of the file
   * @return whether it ends in {@code .yaml}, {@code .yml} or {@code .json}
   */
  public static boolean isManifest(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".yaml") || lower.endsWith(".yml") || lower.endsWith(".json");
  }

  private void file(Path shown, Path real, LinkOption... links) {
    if (files >= MOST_FILES) {
      texts.problem(
          shown.toString(), 0, "is one of more than " + MOST_FILES + " files; apply them in parts");
      return;
    }
    List<OpenOption> options = new ArrayList<>(List.of(links));
    options.add(StandardOpenOption.READ);
    try (InputStream in = Files.newInputStream(real, options.toArray(OpenOption[]::new))) {
      take(shown.toString(), in);
    } catch (IOException e) {
      unreadable(shown, e);
    }
  }

  private void take(String shown, InputStream in) {
    files++;
    try {
      byte[] content = content(plain(in));
      bytes += content.length;
      if (content.length > MOST_BYTES) {
        texts.problem(shown, 0, "has more than " + MOST_BYTES + " bytes; split the file");
        return;
      }
      if (known == null) {
        texts.take(shown, text(content));
      } else {
        remembered(shown, content);
      }
    } catch (CharacterCodingException e) {
      texts.problem(shown, 0, "is not UTF-8; save the file as UTF-8");
    } catch (EOFException e) {
      texts.problem(
          shown, 0, "is compressed and breaks off before its end; copy the whole file again");
    } catch (ZipException e) {
      texts.problem(
          shown, 0, "is compressed and damaged (" + e.getMessage() + "); copy the file again");
    } catch (IOException e) {
      unreadable(Path.of(shown), e);
    }
  }

  private void remembered(String shown, byte[] content) throws CharacterCodingException {
    byte[] digest = Hashes.digest().digest(content);
    int first = texts.manifests().size();
    int problems = texts.problems().size();
    long repeated = texts.repeated();
    if (known.isSame(shown, digest)) {
      texts.again(known.manifests(shown));
    } else {
      texts.take(shown, text(content), known.manifests(shown));
    }
    // What aliases repeat counts in all files together, so files that have some are read again.
    if (texts.problems().size() == problems && texts.repeated() == repeated) {
      List<Manifest> all = texts.manifests();
      known.keep(shown, digest, List.copyOf(all.subList(first, all.size())));
    }
  }

  /** The bytes that gzip packed, or those that are there. */
  private static InputStream plain(InputStream in) throws IOException {
    PushbackInputStream bytes = new PushbackInputStream(in, GZIP.length);
    byte[] first = bytes.readNBytes(GZIP.length);
    bytes.unread(first);
    return Arrays.equals(first, GZIP) ? new GZIPInputStream(bytes, CHUNK) : bytes;
  }

  /** One byte more than a file may have, at most. */
  private static byte[] content(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] chunk = new byte[CHUNK];
    int left = MOST_BYTES + 1;
    for (int count = in.read(chunk, 0, Math.min(CHUNK, left));
        count > 0;
        count = in.read(chunk, 0, Math.min(CHUNK, left))) {
      all.write(chunk, 0, count);
      left -= count;
    }
    return all.toByteArray();
  }

  private static String text(byte[] content) throws CharacterCodingException {
    String text =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT)
            .decode(ByteBuffer.wrap(content))
            .toString();
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private void unreadable(Path path, IOException e) {
    String why =
        e instanceof NoSuchFileException
            ? "does not exist; name an existing file or folder"
            : "cannot be read (" + e.getMessage() + "); check the rights, and try again";
    texts.problem(path.toString(), 0, why);
  }
}
