// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Where connections come from: an address of IPv4, a network of 64 bits of IPv6, this machine's
 * file system. Thread-safe.
 */
final class Sources {
  private static final int MANY = 1 << 12;
  private static final String FILE_SYSTEM = "file system";

  private final ConcurrentHashMap<Object, Source> sources = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  Sources(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Takes a connection in; null if its source is restrained and may not have one more now. */
  Source connect(SocketAddress address) {
    if (sources.size() >= MANY) {
      sources.values().removeIf(Source::isForgettable);
    }
    Object key = key(address);
    boolean[] connected = new boolean[1];
    Source source =
        sources.compute(
            key,
            (_, known) -> {
              Source one = known == null ? new Source(name(key), nanoTime) : known;
              connected[0] = one.connect();
              return one;
            });
    return connected[0] ? source : null;
  }

  int size() {
    return sources.size();
  }

  private static Object key(SocketAddress address) {
    if (!(address instanceof InetSocketAddress internet)) {
      return FILE_SYSTEM;
    }
    if (internet.getAddress() instanceof Inet6Address six) {
      return ByteBuffer.wrap(six.getAddress()).getLong();
    }
    return internet.getAddress();
  }

  private static String name(Object key) {
    return switch (key) {
      case Long network ->
          "%x:%x:%x:%x::/64"
              .formatted(word(network, 48), word(network, 32), word(network, 16), word(network, 0));
      case InetAddress address -> address.getHostAddress();
      default -> key.toString();
    };
  }

  private static long word(long network, int shift) {
    return network >>> shift & 0xffff;
  }
}
