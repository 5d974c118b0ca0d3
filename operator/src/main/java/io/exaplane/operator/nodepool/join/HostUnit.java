// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * What cloud-init and Ignition have in common: where the script lies, and the unit that runs it.
 */
final class HostUnit {
  static final String SCRIPT = "/etc/exaplane/join.sh";
  static final String NAME = "exaplane-join.service";

  private HostUnit() {}

  /** Runs the script at each boot until the node has joined; tries again what can pass. */
  static String text() {
    return JoinScript.part("exaplane-join.service").replaceAll("(?m)^# .*\n", "");
  }

  /** Clouds limit user data (Hetzner: 32 KiB), so the script travels compressed. */
  static String gzipBase64(String script) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new Small(bytes)) {
      gzip.write(script.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /** Takes its time, and comes out smaller. */
  private static final class Small extends GZIPOutputStream {
    Small(OutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }
}
