// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Other names, tags and digests of images, in all lists of containers. Pure. */
final class Images {
  private static final List<String> LISTS = List.of("containers", "initContainers");

  private Images() {}

  /** Writes all images of a level, one after the other, into each container. */
  static void write(Item item, List<Kustomization.Image> images, Charge charge)
      throws OverlayException {
    if (!images.isEmpty() && !item.gvk.kind().equals("CustomResourceDefinition")) {
      walk(item.object, images, charge);
    }
  }

  private static void walk(JsonNode node, List<Kustomization.Image> images, Charge charge)
      throws OverlayException {
    for (String list : LISTS) {
      for (ObjectNode container : Pods.maps(node, list)) {
        JsonNode value = container.path("image");
        if (value.isTextual()) {
          container.put("image", changed(value.asText(), images, charge));
        }
      }
    }
    for (JsonNode child : node) {
      if (child.isContainerNode()) {
        walk(child, images, charge);
      }
    }
  }

  private static String changed(String value, List<Kustomization.Image> images, Charge charge)
      throws OverlayException {
    String now = value;
    for (Kustomization.Image image : images) {
      String before = now;
      now = changed(before, image);
      charge.take(Math.max(now.length() - before.length(), 0));
    }
    return now;
  }

  /** The image's new name; the same if another image is meant. */
  static String changed(String value, Kustomization.Image image) {
    int at = value.indexOf('@');
    String digest = at < 0 ? "" : value.substring(at + 1);
    String rest = at < 0 ? value : value.substring(0, at);
    int colon = rest.lastIndexOf(':');
    boolean hasTag = colon > rest.lastIndexOf('/');
    String tag = hasTag ? rest.substring(colon + 1) : "";
    String name = hasTag ? rest.substring(0, colon) : rest;
    if (!name.equals(image.name())) {
      return value;
    }
    if (!image.newTag().isEmpty() || !image.digest().isEmpty()) {
      tag = image.newTag();
      digest = image.digest();
    }
    return (image.newName().isEmpty() ? name : image.newName())
        + (tag.isEmpty() ? "" : ":" + tag)
        + (digest.isEmpty() ? "" : "@" + digest);
  }
}
