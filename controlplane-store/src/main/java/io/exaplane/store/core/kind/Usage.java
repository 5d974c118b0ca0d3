// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

/**
 * Bytes that the versions of some keys take. What was replaced or deleted is history: it is kept
 * until it is freed. By the writer.
 */
public final class Usage {
  private long bytes;
  private long liveBytes;
  private long replacedBytes;
  private long loadBytes;

  /** Of all versions that are kept. */
  public long bytes() {
    return bytes;
  }

  /** Of the newest versions of the keys that exist. */
  public long liveBytes() {
    return liveBytes;
  }

  /** Of all that became history so far. */
  public long replacedBytes() {
    return replacedBytes;
  }

  /** Of all history that was freed so far. */
  public long freedBytes() {
    return replacedBytes - (bytes - liveBytes);
  }

  /** Of the memory of a kube-apiserver that has loaded the newest versions. */
  public long loadBytes() {
    return loadBytes;
  }

  void loaded(long more) {
    loadBytes += more;
  }

  void put(int size, int replaced) {
    bytes += size;
    liveBytes += size - replaced;
    replacedBytes += replaced;
  }

  void deleted(int tombstone, int deleted) {
    bytes += tombstone;
    liveBytes -= deleted;
    replacedBytes += tombstone + deleted;
  }

  void freed(int size) {
    bytes -= size;
  }
}
