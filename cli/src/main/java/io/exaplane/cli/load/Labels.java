// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.util.Map;

/** How a load marks and calls its objects. Immutable; pure. */
final class Labels {
  /** The kind of load; every object of a load has it, and nothing without it is ever deleted. */
  static final String LOAD = "exaplane.io/bench";

  /** The run; other runs of the same load have another value. */
  static final String RUN = "exaplane.io/bench-run";

  /** Key of the taint of simulated nodes. */
  static final String TAINT = LOAD;

  /** All names begin with it. */
  static final String PREFIX = "exaplane-bench-";

  private Labels() {}

  static Map<String, String> of(String load, String run) {
    return Map.of(LOAD, load, RUN, run);
  }

  /** The selector of one run's objects, or of all runs' if the run is empty, for a path. */
  static String selector(String load, String run) {
    String all = LOAD.replace("/", "%2F") + "%3D" + load;
    return run.isEmpty() ? all : all + "%2C" + RUN.replace("/", "%2F") + "%3D" + run;
  }

  static String name(String run, int number) {
    return "%s%s-%06d".formatted(PREFIX, run, number);
  }
}
