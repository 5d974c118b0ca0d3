// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A DHCPv6 server on the bridge that delegates one prefix (RFC 8415, 6.3), and the router that
 * leads the prefix to who has it. One client. One thread of its own; asked by any.
 */
final class PrefixServer implements AutoCloseable {
  /** Kinds of messages. */
  static final int SOLICIT = 1;

  static final int REQUEST = 3;
  static final int RENEW = 5;
  static final int REBIND = 6;
  static final int RELEASE = 8;
  private static final int ADVERTISE = 2;
  private static final int REPLY = 7;

  /** Options. */
  private static final int CLIENT_ID = 1;

  private static final int SERVER_ID = 2;
  private static final int IA_PD = 25;
  private static final int IA_PREFIX = 26;

  private static final int PORT = 547;
  private static final byte[] OWN_ID = {0, 3, 0, 1, 2, 0, 0, 0, 0, 1};
  private static final int HEADER = 4;
  private static final int IA_HEADER = 12;
  private static final int PREFIX_BYTES = 25;

  /**
   * What the server delegates.
   *
   * @param cidr an IPv6 network
   * @param renewSeconds after which the client asks again
   * @param validSeconds after which the prefix is no longer the client's
   */
  record Lease(String cidr, int renewSeconds, int validSeconds) {
    private byte[] bytes() throws IOException {
      String[] halves = cidr.split("/");
      return ByteBuffer.allocate(PREFIX_BYTES)
          .putInt(validSeconds)
          .putInt(validSeconds)
          .put(Byte.parseByte(halves[1]))
          .put(InetAddress.getByName(halves[0]).getAddress())
          .array();
    }
  }

  private final MulticastSocket socket;
  private final Map<Integer, AtomicInteger> asked = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile Optional<Lease> lease = Optional.empty();
  private String routed = "";

  private PrefixServer(MulticastSocket socket) {
    this.socket = socket;
    thread = Thread.ofVirtual().unstarted(this::serve);
  }

  /** Starts a server on the bridge, which must be there. The server is silent at first. */
  static PrefixServer start() throws IOException {
    MulticastSocket socket = new MulticastSocket(PORT);
    socket.joinGroup(
        new InetSocketAddress(InetAddress.getByName("ff02::1:2"), PORT),
        NetworkInterface.getByName(Net.BRIDGE));
    PrefixServer server = new PrefixServer(socket);
    server.thread.start();
    return server;
  }

  /** From the next message on, the client gets this one. */
  void delegate(Lease what) {
    lease = Optional.of(what);
  }

  /** From now on, nobody gets an answer. */
  void silence() {
    lease = Optional.empty();
  }

  /** How many messages of the kind there were. */
  int asked(int kind) {
    return asked.getOrDefault(kind, new AtomicInteger()).get();
  }

  private void serve() {
    byte[] bytes = new byte[1500];
    while (!socket.isClosed()) {
      DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
      try {
        socket.receive(packet);
        answer(packet);
      } catch (IOException | RuntimeException e) {
        if (!socket.isClosed()) {
          System.err.println("the DHCPv6 server goes on: " + e);
        }
      }
    }
  }

  private void answer(DatagramPacket packet) throws IOException {
    ByteBuffer message = ByteBuffer.wrap(packet.getData(), 0, packet.getLength());
    int kind = message.get(0);
    asked.computeIfAbsent(kind, _ -> new AtomicInteger()).incrementAndGet();
    Optional<Lease> now = lease;
    Optional<ByteBuffer> client = option(message.position(HEADER).slice(), CLIENT_ID);
    Optional<ByteBuffer> pool = option(message.position(HEADER).slice(), IA_PD);
    if (now.isEmpty() || client.isEmpty() || pool.isEmpty()) {
      return;
    }
    ByteBuffer out = ByteBuffer.allocate(1500);
    out.put((byte) (kind == SOLICIT ? ADVERTISE : REPLY)).put(message.array(), 1, 3);
    put(out, CLIENT_ID, array(client.get()));
    put(out, SERVER_ID, OWN_ID);
    if (kind == RELEASE) {
      route("", "");
    } else {
      put(out, IA_PD, delegation(now.get(), pool.get()));
      if (kind != SOLICIT) {
        route(now.get().cidr(), packet.getAddress().getHostAddress());
      }
    }
    socket.send(new DatagramPacket(out.array(), out.position(), packet.getSocketAddress()));
  }

  /** The client's prefix if that is another one, with no life left, and the one of today. */
  private static byte[] delegation(Lease now, ByteBuffer pool) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(IA_HEADER + 2 * (PREFIX_BYTES + HEADER));
    out.putInt(pool.getInt(0)).putInt(now.renewSeconds()).putInt(now.renewSeconds() * 2);
    byte[] today = now.bytes();
    byte[] had =
        option(pool.position(IA_HEADER).slice(), IA_PREFIX).map(PrefixServer::array).orElse(today);
    byte[] ended = had.clone();
    Arrays.fill(ended, 0, 8, (byte) 0);
    boolean other = !Arrays.equals(had, 8, PREFIX_BYTES, today, 8, PREFIX_BYTES);
    if (other && !isHint(had)) {
      put(out, IA_PREFIX, ended);
    }
    put(out, IA_PREFIX, today);
    return Arrays.copyOf(out.array(), out.position());
  }

  /** Whether a client names a length alone. */
  private static boolean isHint(byte[] prefix) {
    return Arrays.equals(prefix, 9, PREFIX_BYTES, new byte[16], 0, 16);
  }

  /** Leads the prefix to the client, and no longer the one of before. */
  private void route(String cidr, String client) throws IOException {
    if (!routed.isEmpty() && !routed.equals(cidr)) {
      Shell.may("ip", "-6", "route", "delete", routed);
    }
    if (!cidr.isEmpty() && !cidr.equals(routed)) {
      Shell.must(
          "ip",
          "-6",
          "route",
          "replace",
          cidr,
          "via",
          client.replaceAll("%.*", ""),
          "dev",
          Net.BRIDGE);
    }
    routed = cidr;
  }

  private static Optional<ByteBuffer> option(ByteBuffer options, int code) {
    while (options.remaining() >= HEADER) {
      int found = Short.toUnsignedInt(options.getShort());
      int length = Short.toUnsignedInt(options.getShort());
      if (found == code) {
        return Optional.of(options.slice(options.position(), length));
      }
      options.position(options.position() + length);
    }
    return Optional.empty();
  }

  private static byte[] array(ByteBuffer from) {
    byte[] bytes = new byte[from.capacity()];
    from.get(0, bytes);
    return bytes;
  }

  private static void put(ByteBuffer out, int code, byte[] value) {
    out.putShort((short) code).putShort((short) value.length).put(value);
  }

  @Override
  public void close() throws IOException {
    socket.close();
    try {
      // The port is free when who receives has let go of it.
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!routed.isEmpty()) {
      Shell.may("ip", "-6", "route", "delete", routed);
    }
  }
}
