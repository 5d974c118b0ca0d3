// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.entry;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.port.Health;
import java.io.IOException;

/**
 * Objects that end, and that the cluster deletes then: Jobs with {@code ttlSecondsAfterFinished}.
 * Whoever creates such a Job again because it is gone runs it again and again. Pure.
 */
public final class Ends {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Ends() {}

  /**
   * Whether an object did what its newest manifest asks for, and is gone for that reason. A Job
   * that was seen to fail, or to be deleted while it ran, is not over. After a restart nobody knows
   * how the Job ended; then it counts as over.
   *
   * @param entry an entry
   * @return false for all objects that exist
   */
  public static boolean isOver(Entry entry) {
    return entry.presence == Presence.ABSENT
        && entry.manifest != null
        && entry.appliedManifest == entry.manifest.hash()
        && (entry.lastHealth == Health.CURRENT || entry.lastHealth == Health.UNKNOWN)
        && deletesItself(entry.manifest);
  }

  private static boolean deletesItself(Manifest manifest) {
    if (!manifest.gvk().groupKind().equals("Job.batch")) {
      return false;
    }
    try {
      return JSON.readTree(manifest.body()).path("spec").path("ttlSecondsAfterFinished").isNumber();
    } catch (IOException e) {
      throw new IllegalArgumentException(manifest + ": the body must be JSON", e);
    }
  }
}
