// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One file of an overlay. Immutable.
 *
 * @param resources files and folders, as written
 * @param patches in their order
 * @param images other names and tags of images
 * @param namespace of all objects; empty for no change
 * @param prefix before all names
 * @param suffix after all names
 * @param labels labels to add
 */
record Kustomization(
    List<String> resources,
    List<Patch> patches,
    List<Image> images,
    String namespace,
    String prefix,
    String suffix,
    List<Labelling> labels) {
  private static final Set<String> KNOWN =
      Set.of(
          "apiVersion",
          "kind",
          "metadata",
          "resources",
          "patches",
          "images",
          "namespace",
          "namePrefix",
          "nameSuffix",
          "labels");

  /** Patches, images and labels of one file, each. */
  static final int MOST_CHANGES = 1_000;

  private static final String VERSION = "kustomize.config.k8s.io/v1beta1";

  /**
   * A patch.
   *
   * @param at where it stands, for messages
   * @param file file of the patch; empty for one that stands in the overlay itself
   * @param text text of such a one
   * @param target which objects; null for the one that the patch names
   */
  record Patch(String at, String file, String text, Target target) {}

  /** One change of images. */
  record Image(String name, String newName, String newTag, String digest) {}

  /** Labels, and where beside the metadata of the objects they are written. */
  record Labelling(Map<String, String> pairs, boolean selectors, boolean templates) {}

  static Kustomization of(String file, JsonNode value) throws OverlayException {
    Fields all = Fields.of(file, value, KNOWN);
    String version = all.word("apiVersion");
    if (!version.isEmpty() && !version.equals(VERSION)) {
      throw new OverlayException(
          all.at("apiVersion"), version, "is not rendered", "write " + VERSION);
    }
    String kind = all.word("kind");
    if (!kind.isEmpty() && !kind.equals("Kustomization")) {
      throw new OverlayException(all.at("kind"), kind, "is not rendered", "write Kustomization");
    }
    List<Patch> patches = new ArrayList<>();
    for (JsonNode one : few(all, "patches")) {
      patches.add(patch(all.at("patches[%d]".formatted(patches.size())), one));
    }
    List<Image> images = new ArrayList<>();
    for (JsonNode one : few(all, "images")) {
      images.add(image(all.at("images[%d]".formatted(images.size())), one));
    }
    List<Labelling> labels = new ArrayList<>();
    for (JsonNode one : few(all, "labels")) {
      Fields fields =
          Fields.of(
              all.at("labels[%d]".formatted(labels.size())),
              one,
              Set.of("pairs", "includeSelectors", "includeTemplates"));
      labels.add(
          new Labelling(
              fields.pairs("pairs"),
              fields.truth("includeSelectors"),
              fields.truth("includeTemplates")));
    }
    return new Kustomization(
        all.words("resources"),
        patches,
        images,
        all.word("namespace"),
        all.word("namePrefix"),
        all.word("nameSuffix"),
        labels);
  }

  /** Each of them is tried at each object. */
  private static List<JsonNode> few(Fields all, String name) throws OverlayException {
    List<JsonNode> list = all.list(name);
    if (list.size() > MOST_CHANGES) {
      throw new OverlayException(
          all.at(name),
          Integer.toString(list.size()),
          "must be at most %d entries".formatted(MOST_CHANGES),
          "write one patch for several objects, or split the overlay");
    }
    return list;
  }

  private static Patch patch(String at, JsonNode one) throws OverlayException {
    Fields fields = Fields.of(at, one, Set.of("path", "patch", "target"));
    String file = fields.word("path");
    String text = fields.word("patch");
    if (file.isEmpty() == text.isEmpty()) {
      throw new OverlayException(
          at, file, "must have one of path and patch", "write path: FILE, or patch with its text");
    }
    Target target = fields.has("target") ? Target.of(at, fields.get("target")) : null;
    return new Patch(at, file, text, target);
  }

  private static Image image(String at, JsonNode one) throws OverlayException {
    Fields fields = Fields.of(at, one, Set.of("name", "newName", "newTag", "digest"));
    String name = fields.word("name");
    if (name.isEmpty()) {
      throw new OverlayException(
          fields.at("name"), "", "is missing", "write the name of the image without its tag");
    }
    return new Image(name, fields.word("newName"), fields.word("newTag"), fields.word("digest"));
  }
}
