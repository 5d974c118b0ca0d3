// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import io.exaplane.apply.manifest.ManifestReader;
import io.exaplane.apply.overlay.Overlay;
import io.exaplane.apply.overlay.OverlayException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The files of an artifact or commit that may matter, within limits, and nothing on a disk. One
 * thread.
 */
final class Tree {
  private static final int MOST_PATH = 1024;

  /** What files end in that are no manifests, so that nobody misses them behind a link. */
  private static final Set<String> OTHERS =
      Set.of(
          "adoc",
          "bash",
          "cfg",
          "conf",
          "css",
          "gif",
          "go",
          "gotmpl",
          "html",
          "ini",
          "jpeg",
          "jpg",
          "js",
          "lock",
          "md",
          "mdx",
          "mk",
          "mod",
          "pdf",
          "pem",
          "png",
          "properties",
          "proto",
          "py",
          "rst",
          "sh",
          "sum",
          "svg",
          "tf",
          "tgz",
          "toml",
          "tpl",
          "ts",
          "txt",
          "xml",
          "zip");

  private final Limits limits;
  private final SortedMap<String, String> files = new TreeMap<>();
  private final TreeSet<String> links = new TreeSet<>();
  private long kept;

  Tree(Limits limits) {
    this.limits = limits;
  }

  /**
   * A path without dots and double slashes.
   *
   * @param field for messages
   * @param given relative path
   * @return segments joined by slashes; empty for the root
   */
  static String path(String field, String given) throws Refused {
    boolean isOdd = given.indexOf('\\') >= 0 || given.chars().anyMatch(c -> c < ' ' || c == 0x7f);
    if (given.startsWith("/") || isOdd || given.length() > MOST_PATH) {
      throw Refused.lasting(
          field,
          shown(given),
          "must be a relative path of at most 1024 characters, with / between folders",
          "name a path inside of the source");
    }
    List<String> segments = new ArrayList<>();
    for (String segment : given.split("/")) {
      if (segment.equals("..")) {
        throw Refused.lasting(
            field, shown(given), "leads out of the source", "name a path without ..");
      }
      if (!segment.isEmpty() && !segment.equals(".")) {
        segments.add(segment);
      }
    }
    return String.join("/", segments);
  }

  private static String shown(String path) {
    String line = path.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= 120 ? line : line.substring(0, 120) + "…";
  }

  /** Whether a file is read; names that begin with a dot are not. */
  static boolean wants(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return !isHidden(path) && (ManifestReader.isManifest(name) || Overlay.NAMES.contains(name));
  }

  private static boolean isHidden(String path) {
    return path.startsWith(".") || path.contains("/.");
  }

  /** Says no before the bytes are read. */
  void requireRoom(String path, long bytes) throws Refused {
    if (bytes > limits.keptBytes() - kept) {
      throw Refused.lasting(
          "source",
          shown(path),
          "is more than fits: all files may have %d bytes".formatted(limits.keptBytes()),
          "split the source, or name a folder with path");
    }
    if (files.size() >= limits.files()) {
      throw Refused.lasting(
          "source",
          shown(path),
          "is one of more than %d files".formatted(limits.files()),
          "split the source, or name a folder with path");
    }
    if (path.chars().filter(c -> c == '/').count() > limits.levels()) {
      throw Refused.lasting(
          "source",
          shown(path),
          "has more than %d folders in each other".formatted(limits.levels()),
          "nest the folders less");
    }
  }

  /** Takes a file; its path stands once in a source. */
  void add(String path, byte[] content) throws Refused {
    requireRoom(path, content.length);
    kept += content.length;
    if (files.put(path, text(path, content)) != null) {
      throw Refused.lasting(
          "source", shown(path), "stands twice in the artifact", "build the artifact again");
    }
  }

  /** Remembers a link or a submodule, which nobody follows. */
  void link(String path) {
    // A folder behind a name such as README.md is unlikely; one behind v1.2 or prod.eu may be.
    String name = path.substring(path.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    boolean isOther = dot > 0 && OTHERS.contains(name.substring(dot + 1).toLowerCase(Locale.ROOT));
    if (!isHidden(path) && !isOther && links.size() < limits.files()) {
      links.add(path);
    }
  }

  private static String text(String path, byte[] content) throws Refused {
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(content))
              .toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw Refused.lasting(
          "source", shown(path), "is not UTF-8", "save the file as UTF-8, and publish it again");
    }
  }

  /**
   * The files of a folder, or what its overlay makes of them.
   *
   * @param folder path, as {@link #path} gives it
   * @return text by path; not empty
   */
  Map<String, String> select(String folder) throws Refused {
    String prefix = folder.isEmpty() ? "" : folder + "/";
    for (String link : links.tailSet(prefix)) {
      if (link.startsWith(prefix)) {
        throw Refused.lasting(
            "source",
            shown(link),
            "is a link or a submodule, which is not followed",
            "replace the link by the files");
      }
    }
    Map<String, String> chosen = new TreeMap<>();
    if (files.containsKey(folder)) {
      chosen.put(folder, files.get(folder));
      return chosen;
    }
    if (Overlay.NAMES.stream().anyMatch(name -> files.containsKey(prefix + name))) {
      return rendered(folder);
    }
    for (Map.Entry<String, String> one : files.tailMap(prefix).entrySet()) {
      String path = one.getKey();
      if (!path.startsWith(prefix)) {
        break;
      }
      if (Overlay.NAMES.contains(path.substring(path.lastIndexOf('/') + 1))) {
        throw Refused.lasting(
            "path",
            folder,
            "has an overlay further below, %s, but is none itself".formatted(shown(path)),
            "name the folder of one overlay with path");
      }
      chosen.put(path, one.getValue());
    }
    if (chosen.isEmpty()) {
      throw Refused.lasting(
          "path",
          folder,
          "holds no file that ends in .yaml, .yml or .json",
          "check the path, and what the source holds");
    }
    return chosen;
  }

  private Map<String, String> rendered(String folder) throws Refused {
    try {
      return Overlay.render(files, folder, limits.keptBytes(), limits.objects());
    } catch (OverlayException e) {
      String[] parts = e.parts();
      throw Refused.lasting(parts[0], parts[1], parts[2], parts[3]);
    }
  }
}
