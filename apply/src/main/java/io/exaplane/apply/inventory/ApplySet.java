// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.inventory;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.entry.Observe;
import io.exaplane.apply.manifest.Hashes;
import io.exaplane.apply.manifest.Manifest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * A set of objects as KEP-3659 describes it: its name, and the label of its members. The parent is
 * a ConfigMap. Immutable.
 *
 * @param name of the parent, and of the source
 * @param namespace of the parent
 */
public record ApplySet(String name, String namespace) {
  /** What all names in the KEP begin with. */
  public static final String PREFIX = "applyset.kubernetes.io/";

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Checks the names. */
  public ApplySet {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "source: '"
              + name
              + "' must have 1 to 52 lower case letters, digits or dashes; choose such a name");
    }
    if (namespace.isEmpty()) {
      throw new IllegalArgumentException(
          "namespace of source '" + name + "': '' must name a namespace; choose one");
    }
  }

  /**
   * The value of the members' label.
   *
   * @return {@code applyset-…-v1}
   */
  public String id() {
    byte[] hash =
        Hashes.digest()
            .digest((name + "." + namespace + ".ConfigMap.").getBytes(StandardCharsets.UTF_8));
    return "applyset-" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + "-v1";
  }

  /**
   * The body to apply: the manifest's, with the label of the set.
   *
   * @param manifest a manifest of the set
   * @return JSON in UTF-8
   */
  public byte[] member(Manifest manifest) {
    try {
      ObjectNode root = (ObjectNode) JSON.readTree(manifest.body());
      root.withObject("/metadata").withObject("/labels").put(Observe.PART_OF, id());
      return JSON.writeValueAsBytes(root);
    } catch (IOException e) {
      throw new IllegalArgumentException(manifest + ": the body must be JSON", e);
    }
  }
}
