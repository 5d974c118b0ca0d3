// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The live heap of a component, as its page of a collection tells it. */
final class LiveHeap {
  private static final Pattern HEAP = Pattern.compile("(?m)^# HeapAlloc = (\\d+)");
  private static final int SAME = 3;

  private double bytes;
  private int same;

  private LiveHeap() {}

  /** In bytes, when what came with the last change has been done: some times the same. */
  static double settled(URI anyPage) throws Exception {
    LiveHeap heap = new LiveHeap();
    Await.until("the live heap of " + anyPage + " settles", () -> heap.look(anyPage) >= SAME);
    return heap.bytes;
  }

  private int look(URI anyPage) throws Exception {
    Thread.sleep(1_000); // a second without a change is what is asked
    Matcher page = HEAP.matcher(Http.get(anyPage.resolve("/debug/pprof/heap?gc=1&debug=1")).body());
    if (!page.find()) {
      throw new AssertionError(anyPage + " does not tell its heap");
    }
    double now = Double.parseDouble(page.group(1));
    same = Math.abs(now - bytes) < 0.01 * now ? same + 1 : 0;
    bytes = now;
    return same;
  }
}
