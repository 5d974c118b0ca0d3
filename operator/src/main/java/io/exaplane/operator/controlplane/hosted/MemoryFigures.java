// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.tuning.lists.MetricsPage;
import java.net.http.HttpResponse.BodyHandler;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Memory of one process as its page of metrics gives it, what kinds it serves, and its LISTs.
 * Immutable.
 *
 * @param residentBytes of the process
 * @param liveBytes of the heap, what the last collection could not free
 * @param definitions CustomResourceDefinitions that are stored; negative if the page does not tell
 * @param groupVersions that the API serves, each of which has an APIService; negative likewise
 * @param lists of each resource since the start of the process; none unless they were asked for
 */
record MemoryFigures(
    long residentBytes,
    long liveBytes,
    int definitions,
    int groupVersions,
    List<MetricsPage.Lists> lists) {
  private static final String RESIDENT = "process_resident_memory_bytes ";
  private static final String LIVE = "go_gc_heap_live_bytes ";
  private static final String DEFINITIONS =
      "apiserver_resource_objects{group=\"apiextensions.k8s.io\",resource=\"customresourcedefinitions\"}"
          + " ";
  private static final String API_SERVICES =
      "apiserver_resource_objects{group=\"apiregistration.k8s.io\",resource=\"apiservices\"} ";

  /**
   * Reads a page line by line and keeps a few numbers: such a page may have many megabytes.
   *
   * @param withLists whether somebody looks at LISTs: a row for each resource is kept then
   */
  static BodyHandler<Optional<MemoryFigures>> reader(boolean withLists) {
    return LineReader.of(new Lines(withLists), Lines::take, Lines::figures);
  }

  /** Used by one thread at a time. */
  private static final class Lines {
    private OptionalLong resident = OptionalLong.empty();
    private OptionalLong live = OptionalLong.empty();
    private long definitions = -1;
    private long groupVersions = -1;
    private final Optional<MetricsPage.Reader> lists;

    Lines(boolean withLists) {
      this.lists = withLists ? Optional.of(new MetricsPage.Reader()) : Optional.empty();
    }

    void take(String line) {
      lists.ifPresent(reader -> reader.take(line));
      if (line.startsWith(RESIDENT)) {
        resident = number(line.substring(RESIDENT.length()));
      } else if (line.startsWith(LIVE)) {
        live = number(line.substring(LIVE.length()));
      } else if (line.startsWith(DEFINITIONS)) {
        definitions = number(line.substring(DEFINITIONS.length())).orElse(-1);
      } else if (line.startsWith(API_SERVICES)) {
        groupVersions = number(line.substring(API_SERVICES.length())).orElse(-1);
      }
    }

    Optional<MemoryFigures> figures() {
      return resident.isPresent() && live.isPresent()
          ? Optional.of(
              new MemoryFigures(
                  resident.getAsLong(),
                  live.getAsLong(),
                  (int) definitions,
                  (int) groupVersions,
                  lists.map(reader -> reader.page().lists()).orElse(List.of())))
          : Optional.empty();
    }

    private static OptionalLong number(String text) {
      try {
        return OptionalLong.of((long) Double.parseDouble(text.strip()));
      } catch (NumberFormatException e) {
        return OptionalLong.empty();
      }
    }
  }
}
