// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.inventory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.Hashes;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.ResourceType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * An inventory as ConfigMaps: the parent of the set, which is shard 0, and {@code NAME-1} and so
 * on. Pure.
 *
 * <p>Each record stands alone, so a save that is cut off between two ConfigMaps harms nothing. The
 * parent is written last when the number of shards grows: until then the old ones count.
 */
public final class InventoryFormat {
  /** The kind of parents and shards. */
  public static final ResourceType TYPE =
      new ResourceType(
          new Gvk("", "v1", "ConfigMap"), "configmaps", true, Set.of("get", "patch", "list"));

  private static final String SHARDS = "apply.exaplane.io/shards";
  private static final String SHARD_OF = "apply.exaplane.io/shard-of";
  private static final String ID = ApplySet.PREFIX + "id";
  private static final String TOOLING = ApplySet.PREFIX + "tooling";
  private static final String OURS = "exaplane/";
  private static final int MOST_SHARDS = 1_024;

  /**
   * Of names in annotations, which may have 256 KiB together. Namespaces are for other tools only:
   * without them, sources for ten thousand namespaces can be saved.
   */
  private static final int MOST_WORDS = 200_000;

  /** Of all shards; the memory for these is the reader's. */
  private static final long MOST_RECORDS =
      Math.min(1 << 20, Runtime.getRuntime().maxMemory() / 4_096);

  private static final String KINDS = ApplySet.PREFIX + "contains-group-kinds";
  private static final String DATA = "records";
  private static final ObjectMapper JSON = new ObjectMapper();

  private InventoryFormat() {}

  /**
   * The ConfigMap of a shard.
   *
   * @param set the set
   * @param shard from 0
   * @return its key
   */
  public static ObjectKey key(ApplySet set, int shard) {
    return new ObjectKey(
        "", "ConfigMap", set.namespace(), shard == 0 ? set.name() : set.name() + "-" + shard);
  }

  /**
   * How many shards records need.
   *
   * @param records number of records
   * @param nameBytes bytes of all their names
   * @param atLeast shards that exist: their number never shrinks
   * @return a power of two
   */
  public static int shards(long records, long nameBytes, int atLeast) {
    int shards = Math.max(1, atLeast);
    // A third of the limit on average, as if nothing could be deflated but zeros: no shard is full.
    while ((records * 44 + nameBytes) / shards > Shard.LIMIT_BYTES / 3) {
      shards *= 2;
    }
    return shards;
  }

  /**
   * Which shard holds an object.
   *
   * @param key the object
   * @param shards number of shards
   * @return from 0
   */
  public static int shard(ObjectKey key, int shards) {
    return Shard.of(key, shards);
  }

  /**
   * The ConfigMaps of a save, in the order in which to apply them.
   *
   * @param set the set
   * @param save what to write
   * @return manifests; the parent is the last one
   * @throws IllegalArgumentException when a shard is larger than a ConfigMap may be
   */
  public static List<Manifest> write(ApplySet set, InventorySave save) {
    List<Manifest> all = new ArrayList<>();
    save.changed()
        .forEach(
            (shard, records) -> {
              if (shard != 0) {
                all.add(manifest(set, save, shard, records));
              }
            });
    all.add(manifest(set, save, 0, save.changed().getOrDefault(0, List.of())));
    return all;
  }

  private static Manifest manifest(
      ApplySet set, InventorySave save, int shard, List<InventoryRecord> records) {
    byte[] data = Shard.write(records);
    if (data.length > Shard.LIMIT_BYTES) {
      throw new IllegalArgumentException(
          "inventory of source '"
              + set.name()
              + "': shard "
              + shard
              + " of "
              + data.length
              + " bytes must have at most "
              + Shard.LIMIT_BYTES
              + "; divide the source");
    }
    ObjectKey key = key(set, shard);
    ObjectNode root = JSON.createObjectNode();
    root.put("apiVersion", "v1").put("kind", "ConfigMap");
    ObjectNode metadata = root.putObject("metadata");
    metadata.put("name", key.name()).put("namespace", key.namespace());
    ObjectNode labels = metadata.putObject("labels");
    if (shard == 0) {
      labels.put(ID, set.id());
      String kinds = String.join(",", new TreeSet<>(save.groupKinds()));
      String namespaces = String.join(",", new TreeSet<>(save.namespaces()));
      ObjectNode annotations =
          metadata
              .putObject("annotations")
              .put(TOOLING, OURS + "v1")
              .put(KINDS, kinds)
              .put(SHARDS, Integer.toString(save.shards()));
      if (kinds.length() + namespaces.length() <= MOST_WORDS) {
        annotations.put(ApplySet.PREFIX + "additional-namespaces", namespaces);
      }
    } else {
      labels.put(SHARD_OF, set.name());
    }
    root.putObject("binaryData").put(DATA, data);
    try {
      byte[] body = JSON.writeValueAsBytes(root);
      return new Manifest(
          TYPE.gvk(),
          key,
          body,
          Hashes.of(body),
          Map.of(),
          new Manifest.Source("inventory of " + set.name(), 1));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the inventory can't be written as JSON", e);
    }
  }

  /**
   * Whether a ConfigMap is a further shard of a set. Another source, or anybody, may have a
   * ConfigMap of that name.
   *
   * @param set the set
   * @param map the ConfigMap
   * @return whether its label says so
   */
  public static boolean isShard(ApplySet set, JsonNode map) {
    return map.path("metadata").path("labels").path(SHARD_OF).asText("").equals(set.name());
  }

  /**
   * How many shards a parent has.
   *
   * @param parent the ConfigMap
   * @return from 1 to 1024
   */
  public static int shards(JsonNode parent) {
    int shards = parent.path("metadata").path("annotations").path(SHARDS).asInt(1);
    return isCount(shards) ? shards : 1;
  }

  private static boolean isCount(int shards) {
    return Integer.bitCount(shards) == 1 && shards > 0 && shards <= MOST_SHARDS;
  }

  /**
   * Why a ConfigMap must not be used as the inventory of a set: another tool's set, or no set.
   *
   * @param set the set
   * @param parent the ConfigMap with the name of the set; null when there is none
   * @return for people; empty when it may be used
   */
  public static String refusal(ApplySet set, JsonNode parent) {
    if (parent == null) {
      return "";
    }
    JsonNode metadata = parent.path("metadata");
    String tooling = metadata.path("annotations").path(TOOLING).asText("");
    String name = "ConfigMap " + set.namespace() + "/" + set.name();
    if (!tooling.isEmpty() && !tooling.startsWith(OURS)) {
      return name
          + " is the set of another tool: annotation "
          + TOOLING
          + " is '"
          + tooling
          + "' and must begin with '"
          + OURS
          + "'; choose another name for the source";
    }
    String id = metadata.path("labels").path(ID).asText("");
    return id.equals(set.id())
        ? ""
        : name
            + " is no inventory: label "
            + ID
            + " is '"
            + id
            + "' and must be '"
            + set.id()
            + "'; choose another name for the source, or delete the ConfigMap";
  }

  /**
   * Reads an inventory. What can't be read is missing: its objects are applied again.
   *
   * @param set the set
   * @param shards the ConfigMaps; null for one that does not exist; the parent first
   * @return what they hold
   */
  public static Inventory read(ApplySet set, List<JsonNode> shards) {
    JsonNode parent = shards.getFirst();
    if (parent == null) {
      return Inventory.EMPTY;
    }
    Set<String> kinds = new TreeSet<>();
    String names = parent.path("metadata").path("annotations").path(KINDS).asText("");
    for (String one : names.split(",")) {
      if (!one.isBlank()) {
        kinds.add(one.strip());
      }
    }
    List<InventoryRecord> records = new ArrayList<>();
    String damage = countDamage(set, parent);
    for (int at = 0; at < shards.size(); at++) {
      JsonNode shard = shards.get(at);
      if (shard != null && at > 0 && !isShard(set, shard)) {
        damage = damage(set, at, "it is no part of the inventory");
        continue;
      }
      if (shard == null || !shard.path("binaryData").has(DATA)) {
        damage = at == 0 && shards.size() == 1 ? damage : damage(set, at, "it is missing");
        continue;
      }
      try {
        for (InventoryRecord one : Shard.read(bytes(shard))) {
          if (Shard.of(one.key(), shards.size()) == at) {
            records.add(one);
          }
        }
        if (records.size() > MOST_RECORDS) {
          records.subList((int) MOST_RECORDS, records.size()).clear();
          damage = damage(set, at, "the memory of this process has room for no more objects");
          break;
        }
      } catch (IOException e) {
        damage = damage(set, at, e.getMessage());
      }
    }
    return new Inventory(kinds, shards(parent), records, damage);
  }

  private static byte[] bytes(JsonNode shard) throws IOException {
    byte[] bytes = shard.path("binaryData").path(DATA).binaryValue();
    if (bytes == null) {
      throw new IOException("the records are no text in base64");
    }
    return bytes;
  }

  private static String countDamage(ApplySet set, JsonNode parent) {
    JsonNode count = parent.path("metadata").path("annotations").path(SHARDS);
    return count.isMissingNode() || isCount(count.asInt(0))
        ? ""
        : "annotation "
            + SHARDS
            + " of ConfigMap "
            + set.namespace()
            + "/"
            + set.name()
            + ": '"
            + count.asText()
            + "' must be a power of two, at most "
            + MOST_SHARDS
            + ". Objects are applied again. Delete the ConfigMaps "
            + set.name()
            + "-1 and up if any";
  }

  private static String damage(ApplySet set, int shard, String why) {
    return "ConfigMap "
        + key(set, shard).namespace()
        + "/"
        + key(set, shard).name()
        + " can't be read: "
        + why
        + "; its objects are applied again. No action is needed.";
  }
}
