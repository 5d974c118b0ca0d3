// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The script as a configuration of Ignition 3.3 (Flatcar, Fedora CoreOS). Pure. */
public final class Ignition {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int OWNER_ALONE = 0700;

  private Ignition() {}

  /**
   * A configuration that writes the script for root alone, and a unit that runs it.
   *
   * @param script what {@link JoinScript} rendered
   */
  public static String render(String script) {
    ObjectNode config = JSON.createObjectNode();
    config.putObject("ignition").put("version", "3.3.0");
    ObjectNode file = config.putObject("storage").putArray("files").addObject();
    file.put("path", HostUnit.SCRIPT).put("mode", OWNER_ALONE).put("overwrite", true);
    file.putObject("contents")
        .put("compression", "gzip")
        .put("source", "data:;base64," + HostUnit.gzipBase64(JoinScript.compact(script)));
    config
        .putObject("systemd")
        .putArray("units")
        .addObject()
        .put("name", HostUnit.NAME)
        .put("enabled", true)
        .put("contents", HostUnit.text());
    return config.toPrettyString() + "\n";
  }
}
