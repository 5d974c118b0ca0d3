// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.zjsonpatch.JsonPatch;
import java.util.List;
import java.util.Set;

/** JSON patches (RFC 6902), one operation after the other, so that a bad one is named. Pure. */
final class JsonPatches {
  private static final List<String> OPERATIONS =
      List.of("add", "remove", "replace", "move", "copy", "test");

  private JsonPatches() {}

  /** The patched copy of an object. */
  static ObjectNode apply(ObjectNode object, ArrayNode patch, String at, Room room)
      throws OverlayException {
    JsonNode value = new InPlace(object.deepCopy());
    int number = 0;
    for (JsonNode one : patch) {
      String here = "%s: operation %d".formatted(at, number++);
      Fields fields = Fields.of(here, one, Set.of("op", "path", "from", "value"));
      String operation = fields.word("op");
      if (!OPERATIONS.contains(operation)) {
        throw new OverlayException(
            here, operation, "is no operation", "write one of " + String.join(", ", OPERATIONS));
      }
      requireThere(value, fields, operation, here);
      if (operation.equals("copy")) {
        // Copies of copies double what an object has.
        room.take(here, Room.of(value.at(JsonPointer.compile(fields.word("from")))));
      }
      try {
        value = JsonPatch.apply(JsonNodeFactory.instance.arrayNode().add(one), value);
      } catch (RuntimeException e) {
        // The library has several kinds of words for paths that lead nowhere.
        throw new OverlayException(
            here, fields.word("path"), "fails: " + e.getMessage(), "correct the path");
      }
    }
    if (!(value instanceof ObjectNode patched)) {
      throw new OverlayException(at, "", "leaves no object", "patch fields of the object only");
    }
    return patched;
  }

  /**
   * The library copies the whole object for each operation. This one is ours already: a file has
   * room for a hundred thousand operations, and for an object of megabytes.
   */
  @SuppressWarnings("unchecked")
  private static final class InPlace extends ObjectNode {
    private static final long serialVersionUID = 1;

    InPlace(ObjectNode own) {
      super(JsonNodeFactory.instance);
      setAll(own);
    }

    @Override
    public ObjectNode deepCopy() {
      return this;
    }
  }

  private static void requireThere(JsonNode value, Fields fields, String operation, String here)
      throws OverlayException {
    boolean isFrom = operation.equals("move") || operation.equals("copy");
    String path = fields.word(isFrom ? "from" : "path");
    if (!path.startsWith("/")) {
      throw new OverlayException(here, path, "must begin with /", "write a path such as /spec");
    }
    if (operation.equals("add")) {
      return;
    }
    if (value.at(JsonPointer.compile(path)).isMissingNode()) {
      throw new OverlayException(
          here, path, "does not exist in the object", "correct the path, or write op: add");
    }
  }
}
