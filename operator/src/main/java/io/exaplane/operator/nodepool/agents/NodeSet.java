// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.zip.CRC32;

/**
 * Names of nodes as 4 bytes each: a sorted array of their CRC-32, since ten thousand names have to
 * fit into one object. A name that is not in the set seems to be in it once in 4 billion divided by
 * the size; such a node is looked at for nothing. Immutable; a look costs O(log n).
 */
final class NodeSet {
  static final NodeSet NONE = new NodeSet(new int[0]);

  private final int[] hashes;

  private NodeSet(int[] hashes) {
    this.hashes = hashes;
  }

  static NodeSet of(Collection<String> names) {
    return new NodeSet(names.stream().mapToInt(NodeSet::hash).sorted().toArray());
  }

  static int hash(String name) {
    CRC32 crc = new CRC32();
    crc.update(name.getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }

  boolean contains(String name) {
    return Arrays.binarySearch(hashes, hash(name)) >= 0;
  }

  String encoded() {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * hashes.length);
    bytes.asIntBuffer().put(hashes);
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  /**
   * The set of a text.
   *
   * @throws IllegalArgumentException if it is not one of {@link #encoded}
   */
  static NodeSet decoded(String text) {
    byte[] bytes = Base64.getDecoder().decode(text);
    if (bytes.length % Integer.BYTES != 0) {
      throw new IllegalArgumentException(bytes.length + " bytes are no set of nodes");
    }
    int[] hashes = new int[bytes.length / Integer.BYTES];
    ByteBuffer.wrap(bytes).asIntBuffer().get(hashes);
    Arrays.sort(hashes);
    return new NodeSet(hashes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NodeSet set && Arrays.equals(hashes, set.hashes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(hashes);
  }

  @Override
  public String toString() {
    return hashes.length + " nodes";
  }
}
