// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

/**
 * Keys of one Kind to which one rule applies, and how many there are. Changed and read by the
 * writer.
 */
public final class KeyClass {
  private final String kind;
  private final PrefixRule rule;
  private final RuleUsage usage;
  private long keys;
  private long bytes;
  private long puts;
  private long deletes;

  KeyClass(String kind, PrefixRule rule, RuleUsage usage) {
    this.kind = kind;
    this.rule = rule;
    this.usage = usage;
  }

  /** As in {@code pods} or {@code widgets.example.com}. */
  public String kind() {
    return kind;
  }

  public PrefixRule rule() {
    return rule;
  }

  /** Whether the rule's keys have as many bytes as they may. */
  public boolean isFull() {
    return rule.maxBytes() > 0 && usage.bytes >= rule.maxBytes();
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

  /** A version was put. */
  public void put(boolean isNewKey) {
    puts++;
    keys += isNewKey ? 1 : 0;
  }

  /** A key was deleted. */
  public void deleted() {
    deletes++;
    keys--;
  }

  /** Versions came, or went. */
  public void addBytes(long more) {
    bytes += more;
    usage.bytes += more;
  }

  /** Bytes of all classes of a rule. */
  static final class RuleUsage {
    private long bytes;
  }
}
