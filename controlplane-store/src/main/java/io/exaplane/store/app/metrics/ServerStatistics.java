// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.metrics;

import io.exaplane.store.app.tls.TlsFiles;
import io.exaplane.store.wire.door.Places;
import java.util.List;

/**
 * What metrics tell of the server around the store. Thread-safe.
 *
 * @param health what probes were told
 * @param doors places for connections
 * @param tls null if all is in the clear
 */
public record ServerStatistics(HealthCounts health, List<Places> doors, TlsFiles tls) {
  void add(Snapshots out) {
    health.add(out);
    doors.forEach(door -> add(out, door.statistics()));
    if (tls != null) {
      add(out, tls.statistics());
    }
  }

  private static void add(Snapshots out, TlsFiles.Statistics files) {
    out.counter(
        "exaplane_store_tls_reloads_total",
        "Times that changed certificate files came into force.",
        files.reloads());
    out.counter(
        "exaplane_store_tls_reload_failures_total",
        "Times that changed certificate files were unusable.",
        files.failures());
    out.gauge(
        "exaplane_store_tls_files_unusable",
        "1 while the certificate files are unusable and the previous ones are in force, else 0.",
        files.unusable() ? 1 : 0);
  }

  private static void add(Snapshots out, Places.Statistics door) {
    String[] labels = {"door", door.door()};
    out.gauge("exaplane_store_connections", "Connections now.", door.taken(), labels);
    out.gauge(
        "exaplane_store_connections_limit", "Largest number of connections.", door.total(), labels);
    out.counter(
        "exaplane_store_connections_refused_total",
        "New connections that were closed, since no other connection was idle.",
        door.refused(),
        labels);
    out.counter(
        "exaplane_store_connections_displaced_total",
        "Idle connections that were closed to make room for new ones.",
        door.displaced(),
        labels);
  }
}
