// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The files of one source as they were read last. Used by one thread, except for the watch. */
final class AddonFiles {
  /** A source that can't be read is read again after this time, or at its interval. */
  private static final Duration AGAIN = Duration.ofSeconds(30);

  /** Passing failures in a row that are told; files that were read before hold until then. */
  private static final int TOLD_AT = 3;

  private Optional<AddonContents> contents = Optional.empty();
  private String unreadable = "";
  private int failures = TOLD_AT;
  private Instant nextRead = Instant.MIN;
  private AddonReader.Watching watch = AddonReader.NOTHING;
  private volatile boolean stale = true;

  /** What was read last; empty before the first time. */
  Optional<AddonContents> contents() {
    return contents;
  }

  /** Why the files can't be read now; empty when they can. */
  String unreadable() {
    return unreadable;
  }

  /** When the files are to be read again, whatever happens. */
  Instant nextRead() {
    return nextRead;
  }

  /** Whether the files are to be read before that. */
  boolean isStale() {
    return stale;
  }

  /** The source names other files than before. */
  void changeSource() {
    end();
    watch = AddonReader.NOTHING;
    stale = true;
    nextRead = Instant.MIN;
    failures = TOLD_AT;
  }

  /** Reads the files, and watches them. */
  void read(AddonReader reader, AddonSpec spec, Runnable signal, Instant now) {
    stale = false;
    try {
      take(reader.read(spec));
      nextRead = now.plus(spec.effectiveInterval());
    } catch (AddonReader.Unreadable e) {
      failures++;
      if (!e.isPassing() || failures >= TOLD_AT) {
        unreadable = e.getMessage();
      }
      Duration interval = spec.effectiveInterval();
      nextRead = now.plus(interval.compareTo(AGAIN) < 0 ? interval : AGAIN);
    }
    if (watch.hasEnded() || watch == AddonReader.NOTHING) {
      watch =
          reader.watch(
              spec,
              () -> {
                stale = true;
                signal.run();
              });
    }
  }

  private void take(Map<String, String> texts) {
    String revision = AddonContents.revision(texts);
    if (contents.filter(all -> all.revision().equals(revision)).isEmpty()) {
      contents = Optional.of(AddonContents.of(texts));
    }
    failures = 0;
    unreadable =
        contents.get().reading().manifests().isEmpty() && contents.get().reading().isWhole()
            ? "the files hold no object; remove the source from spec.addons to delete its objects"
            : "";
  }

  /** Ends the watch. */
  void end() {
    watch.close();
  }
}
