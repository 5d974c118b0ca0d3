// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

import java.util.List;

/**
 * Keys of one Kind to which one rule applies, and how many there are. Changed and read by the
 * writer.
 */
public final class KeyClass {
  private final String kind;
  private final PrefixRule rule;
  private final List<PrefixUsage> usages;
  private final int window;
  private long keys;
  private long bytes;
  private long puts;
  private long deletes;

  KeyClass(String kind, PrefixRule rule, List<PrefixUsage> usages, int window) {
    this.kind = kind;
    this.rule = rule;
    this.usages = usages;
    this.window = window;
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

  /** Whether a prefix of these keys has as many bytes as it may. */
  public boolean isFull() {
    for (int i = 0; i < usages.size(); i++) {
      if (usages.get(i).bytes >= usages.get(i).maxBytes) {
        return true;
      }
    }
    return false;
  }

  /** Keys that exist now. */
  public long keys() {
    return keys;
  }

  /** Bytes of all versions that are kept. */
  public long bytes() {
    return bytes;
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

  /** A version was put that takes so many bytes. */
  public void put(boolean isNewKey, int bytesMore) {
    puts++;
    keys += isNewKey ? 1 : 0;
    add(bytesMore);
  }

  /** A key was deleted, by a version that takes so many bytes. */
  public void deleted(int bytesMore) {
    deletes++;
    keys--;
    add(bytesMore);
  }

  /** A version went that took so many bytes. */
  public void freed(int bytesLess) {
    add(-bytesLess);
  }

  private void add(int more) {
    bytes += more;
    for (int i = 0; i < usages.size(); i++) {
      usages.get(i).bytes += more;
    }
  }

  /** Bytes of all keys with a prefix that has a limit. */
  static final class PrefixUsage {
    private final long maxBytes;
    private long bytes;

    PrefixUsage(long maxBytes) {
      this.maxBytes = maxBytes;
    }

    long bytes() {
      return bytes;
    }
  }
}
