// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.manifest.Problem;
import io.exaplane.apply.manifest.Values;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Renders overlays in the common subset of kustomize's format: resources, patches, images,
 * namespace, namePrefix, nameSuffix and labels. A field beyond is refused by name. Each object
 * keeps the file and the line that it came from. One thread, and no file but those given.
 */
public final class Overlay {
  /** How the file of an overlay may be called. */
  public static final List<String> NAMES =
      List.of("kustomization.yaml", "kustomization.yml", "Kustomization");

  /** Overlays in each other, at most. */
  static final int MOST_LEVELS = 20;

  /** Overlays that are rendered, at most: one may be part of several others. */
  static final int MOST_OVERLAYS = 1000;

  private final Map<String, String> files;
  private final Room room;
  private final Deque<String> under = new ArrayDeque<>();
  private int overlays;

  private Overlay(Map<String, String> files, Room room) {
    this.files = files;
    this.room = room;
  }

  /**
   * Renders the overlay of a folder.
   *
   * @param files all files, by path from a common root
   * @param folder the overlay's folder; empty for the root
   * @param mostCharacters of the files together, each as often as overlays name it, with all that
   *     overlays write into their objects; and of what is rendered
   * @param mostObjects of the files together, each as often as overlays name it
   * @return objects as JSON by the file that they came from, each at its line
   * @throws OverlayException when something is not understood, or missing
   */
  public static Map<String, String> render(
      Map<String, String> files, String folder, long mostCharacters, int mostObjects)
      throws OverlayException {
    Overlay overlay = new Overlay(files, new Room(mostCharacters, mostObjects));
    List<Item> items = overlay.level(folder, "path");
    items.removeIf(Item::isLocal);
    return texts(items, mostCharacters);
  }

  private List<Item> level(String folder, String field) throws OverlayException {
    String prefix = folder.isEmpty() ? "" : folder + "/";
    String file =
        NAMES.stream().map(name -> prefix + name).filter(files::containsKey).findFirst().orElse("");
    if (file.isEmpty()) {
      throw new OverlayException(
          field, folder, "is neither a file nor an overlay", "name a file, or add " + NAMES.get(0));
    }
    if (under.contains(folder)) {
      throw new OverlayException(field, folder, "is part of itself", "remove the entry");
    }
    if (under.size() >= MOST_LEVELS || ++overlays > MOST_OVERLAYS) {
      throw new OverlayException(
          field,
          folder,
          "is one of more than %d overlays, or of %d in each other"
              .formatted(MOST_OVERLAYS, MOST_LEVELS),
          "nest the overlays less");
    }
    under.push(folder);
    Kustomization all = Kustomization.of(file, single(file));
    List<Item> items = new ArrayList<>();
    for (int at = 0; at < all.resources().size(); at++) {
      String where = "%s: resources[%d]".formatted(file, at);
      String path = inside(folder, all.resources().get(at), where);
      items.addAll(files.containsKey(path) ? objects(path) : level(path, where));
    }
    requireUnique(items, file);
    items.forEach(Item::begin);
    for (Kustomization.Patch patch : all.patches()) {
      Patches.apply(items, patch, text(folder, patch), room);
    }
    for (Item item : items) {
      Names.write(item, all, more -> room.take(file + ": names", more));
      for (Kustomization.Labelling labels : all.labels()) {
        Labels.write(item, labels, more -> room.take(file + ": labels", more));
      }
      Images.write(item, all.images(), more -> room.take(file + ": images", more));
    }
    Names.follow(items, more -> room.take(file + ": names", more));
    requireUnique(items, file);
    under.pop();
    return items;
  }

  private JsonNode single(String file) throws OverlayException {
    List<Values.Value> values = values(file, 1);
    if (values.size() != 1) {
      throw new OverlayException(
          file, "", "must hold one document", "write apiVersion, kind and resources");
    }
    return values.getFirst().value();
  }

  private List<Values.Value> values(String file, int most) throws OverlayException {
    Values.Content content = Values.read(file, files.get(file), most);
    if (!content.problems().isEmpty()) {
      Problem first = content.problems().getFirst();
      throw new OverlayException(
          file + ":" + first.source().line(),
          "",
          first.message(),
          "nothing of the overlay is used");
    }
    return content.values();
  }

  private List<Item> objects(String file) throws OverlayException {
    int length = files.get(file).length();
    room.take(file, length);
    List<Values.Value> values = values(file, room.objectsLeft());
    room.takeObjects(file, values.size());
    // What aliases repeat stands once in the file.
    long repeated = values.stream().mapToLong(one -> Room.of(one.value())).sum() - length;
    room.take(file, Math.max(repeated, 0));
    List<Item> items = new ArrayList<>();
    for (Values.Value one : values) {
      boolean isNamed =
          one.value().path("apiVersion").isTextual()
              && one.value().path("kind").isTextual()
              && one.value().path("metadata").path("name").isTextual();
      if (!isNamed || !(one.value() instanceof ObjectNode object)) {
        throw new OverlayException(
            file + ":" + one.line(),
            Fields.shown(one.value()),
            "is no object",
            "write apiVersion, kind and metadata.name");
      }
      Item item = new Item(object, file, one.line());
      if (item.gvk.group().equals("kustomize.config.k8s.io")) {
        throw new OverlayException(
            item.place(), item.gvk.kind(), "is an overlay", "name its folder in resources");
      }
      items.add(item);
    }
    return items;
  }

  private String text(String folder, Kustomization.Patch patch) throws OverlayException {
    if (patch.file().isEmpty()) {
      return patch.text();
    }
    String path = inside(folder, patch.file(), patch.at() + ": path");
    String text = files.get(path);
    if (text == null) {
      throw new OverlayException(
          patch.at() + ": path", path, "does not exist in the source", "correct the path");
    }
    return text;
  }

  /** A path from the root, which stays inside of it. */
  private static String inside(String folder, String relative, String field)
      throws OverlayException {
    if (relative.contains("://") || relative.contains("?") || relative.startsWith("/")) {
      throw new OverlayException(
          field, relative, "is no path inside of the source", "copy the files into the source");
    }
    Deque<String> segments = new ArrayDeque<>();
    String whole = folder.isEmpty() ? relative : folder + "/" + relative;
    for (String segment : whole.split("/")) {
      if (segment.equals("..")) {
        if (segments.pollLast() == null) {
          throw new OverlayException(
              field, relative, "leads out of the source", "copy the files into the source");
        }
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        segments.addLast(segment);
      }
    }
    return String.join("/", segments);
  }

  private static void requireUnique(List<Item> items, String file) throws OverlayException {
    Map<String, Item> seen = new HashMap<>();
    for (Item item : items) {
      Item other = seen.putIfAbsent(item.key(), item);
      if (other != null) {
        throw new OverlayException(
            file,
            item.key(),
            "stands in %s and in %s".formatted(other.place(), item.place()),
            "remove one of the two");
      }
    }
  }

  /** One object a line at least, so that readers find each where it was written. */
  private static Map<String, String> texts(List<Item> items, long mostCharacters)
      throws OverlayException {
    long characters = 0;
    Map<String, List<Item>> byFile = new TreeMap<>();
    items.forEach(item -> byFile.computeIfAbsent(item.file, file -> new ArrayList<>()).add(item));
    Map<String, String> texts = new TreeMap<>();
    for (Map.Entry<String, List<Item>> one : byFile.entrySet()) {
      List<Item> sorted = one.getValue();
      sorted.sort(Comparator.comparingInt(item -> item.line));
      StringBuilder text = new StringBuilder();
      int line = 1;
      for (Item item : sorted) {
        for (; line < item.line; line++) {
          text.append('\n');
        }
        String json = item.object.toString();
        if (characters + text.length() + json.length() > mostCharacters) {
          throw new OverlayException(
              item.place(),
              Integer.toString(json.length()),
              "characters are too many: all objects of an overlay may have %d as JSON"
                  .formatted(mostCharacters),
              "split the overlay");
        }
        text.append(json).append(' ');
      }
      characters += text.length();
      texts.put(one.getKey(), text.toString());
    }
    return texts;
  }
}
