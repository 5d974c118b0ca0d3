// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

import java.util.List;
import java.util.stream.Stream;

/**
 * Keys of one Kind to which one rule applies, and how many there are. Changed and read by the
 * writer.
 */
public final class KeyClass {
  /** kube-apiserver has no watch cache of Events. */
  private static final String NEVER_LOADED = "events";

  private final String kind;
  private final PrefixRule rule;
  private final List<Quota> quotas;
  private final int window;
  private final boolean isVital;
  private final boolean isInMemoryOnly;
  private final boolean isLoaded;
  private final WriteAges.Counts ages;
  private final Usage usage = new Usage();
  private final Usage[] counted;
  private long keys;
  private long puts;
  private long deletes;

  /**
   * @param whole of all keys
   * @param quotas those that these keys count for
   * @param isInMemoryOnly see {@link #isInMemoryOnly()}
   * @param ages null if nobody asks when these keys were written
   */
  KeyClass(
      String kind,
      PrefixRule rule,
      Usage whole,
      List<Quota> quotas,
      int window,
      boolean isInMemoryOnly,
      WriteAges.Counts ages) {
    this.ages = ages;
    this.isInMemoryOnly = isInMemoryOnly;
    this.kind = kind;
    this.rule = rule;
    this.quotas = quotas;
    this.window = window;
    this.isVital = VitalKinds.has(kind);
    this.isLoaded = !kind.equals(NEVER_LOADED);
    this.counted =
        Stream.concat(Stream.of(usage, whole), quotas.stream().map(Quota::usage))
            .toArray(Usage[]::new);
  }

  /** As in {@code pods} or {@code widgets.example.com}. */
  public String kind() {
    return kind;
  }

  public PrefixRule rule() {
    return rule;
  }

  /** Number of the keys' history window; {@link KeyClasses#NO_WINDOW} for none of their own. */
  public int window() {
    return window;
  }

  /** Quotas of their prefixes. */
  public List<Quota> quotas() {
    return quotas;
  }

  /** Whether a full store still takes small ones of them, see {@link VitalKinds}. */
  public boolean isVital() {
    return isVital;
  }

  /**
   * Whether nothing of these keys is in any file although there are files of others. If all keys
   * are to be in memory only, that is so of none: nothing is written, and what files hold of
   * earlier times is kept.
   */
  public boolean isInMemoryOnly() {
    return isInMemoryOnly;
  }

  /** Whether a kube-apiserver keeps these objects in its memory. */
  public boolean isLoaded() {
    return isLoaded;
  }

  /** When these keys were written; null if nobody asks. */
  WriteAges.Counts ages() {
    return ages;
  }

  /** Keys that exist now. */
  public long keys() {
    return keys;
  }

  /** Bytes of all versions that are kept. */
  public long bytes() {
    return usage.bytes();
  }

  /** Bytes of the newest versions of the keys that exist. */
  public long liveBytes() {
    return usage.liveBytes();
  }

  /** Bytes of a kube-apiserver's memory that the newest versions take. */
  public long loadBytes() {
    return usage.loadBytes();
  }

  /** Versions that were put since the start. */
  public long puts() {
    return puts;
  }

  /** Deletions since the start. */
  public long deletes() {
    return deletes;
  }

  void started() {
    puts = 0;
    deletes = 0;
  }

  /**
   * A version was put.
   *
   * @param size bytes that it takes
   * @param replaced bytes of the version before, 0 if the key did not exist
   */
  public void put(int size, int replaced) {
    puts++;
    keys += replaced == 0 ? 1 : 0;
    for (Usage each : counted) {
      each.put(size, replaced);
    }
  }

  /**
   * A key was deleted.
   *
   * @param tombstone bytes of the version that says so
   * @param deleted bytes of the version before
   */
  public void deleted(int tombstone, int deleted) {
    deletes++;
    keys--;
    for (Usage each : counted) {
      each.deleted(tombstone, deleted);
    }
  }

  /**
   * The newest versions take more of a kube-apiserver's memory than before, or less.
   *
   * @param more bytes
   */
  public void loaded(long more) {
    for (Usage each : counted) {
      each.loaded(more);
    }
  }

  /** A version went that took so many bytes. */
  public void freed(int size) {
    for (Usage each : counted) {
      each.freed(size);
    }
  }
}
