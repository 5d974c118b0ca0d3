// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * What an operator keeps of one owner from pass to pass, in the owner's ConfigMap, compressed. The
 * compressed form has a checksum. Immutable.
 *
 * @param bundle what the owner's pods are made of
 * @param moving the bundle to which a maintenance window lets the pods move; "" for none
 * @param recovered whether an earlier record was lost, and the pins are what the API server showed
 * @param spec the owner's spec that was rendered last
 * @param pins by the objects' names, as {@code Deployment/demo-apiserver}
 * @param settled the last templates that settled, by the same names
 * @param left what objects were before they moved to another bundle that not all have yet, by the
 *     same names
 */
record PinRecord(
    String bundle,
    String moving,
    boolean recovered,
    JsonNode spec,
    Map<String, Pin> pins,
    Map<String, JsonNode> settled,
    Map<String, Pin> left) {
  private static final JsonMapper JSON = new JsonMapper();

  /** Nobody's template is larger: the API server takes no object above 1.5 MiB. */
  private static final int LARGEST_BYTES = 32 << 20;

  /** The record in base64; the same record always gives the same text. */
  String write() {
    ObjectNode root = JSON.createObjectNode();
    root.put("bundle", bundle);
    if (!moving.isEmpty()) {
      root.put("moving", moving);
    }
    root.put("recovered", recovered);
    root.set("spec", spec);
    ObjectNode all = root.putObject("pins");
    new TreeMap<>(pins)
        .forEach(
            (name, pin) -> {
              ObjectNode one = put(pin, all.putObject(name));
              if (left.containsKey(name)) {
                put(left.get(name), one.putObject("left"));
              }
              JsonNode last = settled.get(name);
              if (last != null) {
                one.set("settled", last.equals(pin.template()) ? BooleanNode.TRUE : last);
              }
            });
    try (ByteArrayOutputStream bytes = new ByteArrayOutputStream()) {
      try (GZIPOutputStream compressed = new GZIPOutputStream(bytes)) {
        compressed.write(JSON.writeValueAsBytes(root));
      }
      return Base64.getEncoder().encodeToString(bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode put(Pin pin, ObjectNode one) {
    one.put("bundle", pin.bundle());
    one.put("operator", pin.operator());
    one.put("id", pin.id());
    one.set("template", pin.template());
    if (pin.isPending()) {
      one.set("rendered", pin.rendered());
    }
    return one;
  }

  /** The record of such a text; nothing when the text is damaged. */
  static Optional<PinRecord> read(String text) {
    if (text == null) {
      return Optional.empty();
    }
    try (GZIPInputStream plain =
        new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
      JsonNode root = JSON.readTree(plain.readNBytes(LARGEST_BYTES));
      Map<String, Pin> pins = new TreeMap<>();
      Map<String, JsonNode> settled = new TreeMap<>();
      Map<String, Pin> left = new TreeMap<>();
      for (Map.Entry<String, JsonNode> one : root.path("pins").properties()) {
        Optional<Pin> pin = pin(one.getValue());
        if (pin.isEmpty()) {
          return Optional.empty();
        }
        pins.put(one.getKey(), pin.get());
        pin(one.getValue().path("left")).ifPresent(was -> left.put(one.getKey(), was));
        JsonNode last = one.getValue().path("settled");
        if (last.isObject() || last.asBoolean()) {
          settled.put(one.getKey(), last.isObject() ? last : pin.get().template());
        }
      }
      return root.path("bundle").isTextual()
          ? Optional.of(
              new PinRecord(
                  root.get("bundle").textValue(),
                  root.path("moving").asText(""),
                  root.path("recovered").asBoolean(),
                  root.path("spec"),
                  pins,
                  settled,
                  left))
          : Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<Pin> pin(JsonNode one) {
    boolean complete =
        one.path("bundle").isTextual()
            && one.path("operator").isTextual()
            && one.path("id").isTextual()
            && one.path("template").isObject();
    return complete
        ? Optional.of(
            new Pin(
                one.get("bundle").textValue(),
                one.get("operator").textValue(),
                one.get("id").textValue(),
                one.get("template"),
                one.get("rendered")))
        : Optional.empty();
  }
}
