// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A resolver that makes addresses of {@link Nat64#PREFIX} for names that have IPv4 alone (RFC
 * 6147), and knows two names: a server's, and the one by which hosts find the prefix (RFC 7050). It
 * tells of no IPv4 addresses: busybox would try one, though its pod has IPv6 alone. One thread of
 * its own.
 */
final class Dns64 implements AutoCloseable {
  /** The name of {@link Nat64#SERVER}. */
  static final String NAME = "v4.exj.test";

  private static final Map<String, List<String>> NAMES =
      Map.of(NAME, List.of(Nat64.SERVER), "ipv4only.arpa", List.of("192.0.0.170", "192.0.0.171"));
  private static final int PORT = 53;
  private static final int HEADER = 12;
  private static final int AAAA = 28;
  private static final int NO_SUCH_NAME = 3;

  private final DatagramSocket socket;
  private final Thread thread;

  private Dns64(DatagramSocket socket) {
    this.socket = socket;
    thread = Thread.ofVirtual().unstarted(this::work);
  }

  /** Listens at that address of this machine alone. */
  static Dns64 at(String address) throws IOException {
    Dns64 dns = new Dns64(new DatagramSocket(new InetSocketAddress(address, PORT)));
    dns.thread.start();
    return dns;
  }

  private void work() {
    while (!socket.isClosed()) {
      DatagramPacket packet = new DatagramPacket(new byte[512], 512);
      try {
        socket.receive(packet);
        byte[] answer = answer(packet.getData(), packet.getLength());
        socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
      } catch (IOException | RuntimeException e) {
        // A question that is none, or a client whose network has gone.
        if (!socket.isClosed()) {
          System.err.println("the resolver goes on: " + e);
        }
      }
    }
  }

  /**
   * The question with its answers; whoever asks about several names gets an answer to the first.
   */
  private static byte[] answer(byte[] question, int length) throws IOException {
    StringBuilder name = new StringBuilder();
    int at = HEADER;
    while (at < length && question[at] > 0) {
      name.append(name.isEmpty() ? "" : ".")
          .append(new String(question, at + 1, question[at], StandardCharsets.US_ASCII));
      at += question[at] + 1;
    }
    int type = ByteBuffer.wrap(question).getShort(at + 1);
    int end = at + 5;
    List<String> addresses =
        NAMES.getOrDefault(name.toString().toLowerCase(Locale.ROOT), List.of());
    boolean known = !addresses.isEmpty();
    List<String> told = type == AAAA ? addresses : List.of();
    ByteBuffer answer = ByteBuffer.allocate(512);
    answer.put(question, 0, 2);
    // An answer, of a server that also asks others.
    answer.put((byte) 0x81).put((byte) (0x80 | (known ? 0 : NO_SUCH_NAME)));
    answer.putShort((short) 1).putShort((short) told.size()).putInt(0);
    answer.put(question, HEADER, end - HEADER);
    for (String address : told) {
      // The name of the question, the class IN, and a minute to live.
      answer.putShort((short) 0xc00c).putShort((short) type).putShort((short) 1).putInt(60);
      byte[] bytes = InetAddress.getByName(embedded(address)).getAddress();
      answer.putShort((short) bytes.length).put(bytes);
    }
    byte[] all = new byte[answer.position()];
    answer.flip().get(all);
    return all;
  }

  /** The address by which the translator reaches an IPv4 address. */
  static String embedded(String address) {
    return Nat64.PREFIX.replace("/96", address);
  }

  @Override
  public void close() {
    socket.close();
    try {
      // The port is free when who receives has let go of it.
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
