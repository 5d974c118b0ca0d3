// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.util.List;
import java.util.Map;

/** What one command does to a cluster. {@link #run} is called once; {@link #stop} by any thread. */
public abstract class Load {
  Load() {}

  /** The command's name, and the value of the label of its objects. */
  public abstract String name();

  /** The options and their values, for the report. */
  abstract Map<String, Object> settings();

  /** What the command would do, for people: a sentence without its end. */
  public abstract String plan();

  /** Watches that are open at the same time. */
  abstract long watches();

  /** Resources of its objects, in the order in which they are deleted. */
  abstract List<Resource> resources();

  /** The one namespace of its objects that have one; empty if it creates namespaces. */
  String namespace() {
    return "";
  }

  /** Does it; ends when it is measured. */
  abstract void run(Run run);

  /** Nothing that {@link #run} began is sent any more when this returns and answers are here. */
  abstract void stop(Run run);

  /** How far it is, in a few words. */
  abstract String progress();

  /** Nodes that hold the watches; 0 if no nodes do. */
  int nodes() {
    return 0;
  }

  abstract Map<String, Latency> latencies();

  abstract Map<String, Object> figures();
}
