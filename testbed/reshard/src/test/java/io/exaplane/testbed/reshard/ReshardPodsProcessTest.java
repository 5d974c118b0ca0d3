// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pods of a large cluster move to another store, and back, while clients write them. */
@Tag("long")
class ReshardPodsProcessTest {
  private static final int PODS = Integer.getInteger("pods", 50_000);
  private static final int PADDING_BYTES = 2_000;

  @TempDir Path folder;

  @Test
  void podsMoveThereAndBack() throws Exception {
    try (Bed bed = Bed.start(Kind.PODS, folder, PODS, PADDING_BYTES)) {
      Round.quiet(bed, "pods-there", Round.PER_SECOND);
      Round.quiet(bed, "pods-back", Round.PER_SECOND);
    }
  }
}
