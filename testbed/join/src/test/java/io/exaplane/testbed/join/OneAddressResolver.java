// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** A resolver that has one IPv6 address for every name. One thread of its own. */
final class OneAddressResolver implements AutoCloseable {
  private static final int PORT = 53;
  private static final int HEADER = 12;
  private static final short AAAA = 28;
  private final DatagramSocket socket;
  private final byte[] address;
  private final AtomicInteger asked = new AtomicInteger();
  private final Thread server;

  private OneAddressResolver(DatagramSocket socket, byte[] address) {
    this.socket = socket;
    this.address = address;
    server = Thread.ofVirtual().unstarted(this::serve);
  }

  /** Answers on port 53 of this address, with that one. */
  static OneAddressResolver start(String at, String answer) throws IOException {
    OneAddressResolver made =
        new OneAddressResolver(
            new DatagramSocket(PORT, InetAddress.getByName(at)),
            InetAddress.getByName(answer).getAddress());
    made.server.start();
    return made;
  }

  /** How often somebody asked. */
  int asked() {
    return asked.get();
  }

  private void serve() {
    byte[] bytes = new byte[512];
    while (!socket.isClosed()) {
      DatagramPacket question = new DatagramPacket(bytes, bytes.length);
      try {
        socket.receive(question);
        asked.incrementAndGet();
        byte[] answer = answer(ByteBuffer.wrap(bytes, 0, question.getLength()));
        socket.send(new DatagramPacket(answer, answer.length, question.getSocketAddress()));
      } catch (IOException | RuntimeException e) {
        if (!socket.isClosed()) {
          System.err.println("the resolver goes on: " + e);
        }
      }
    }
  }

  private byte[] answer(ByteBuffer question) {
    int end = HEADER;
    while (question.get(end) != 0) {
      end += 1 + question.get(end);
    }
    int type = question.getShort(end + 1);
    int length = end + 5;
    boolean has = type == AAAA;
    ByteBuffer answer = ByteBuffer.allocate(length + (has ? 28 : 0));
    answer.putShort(question.getShort(0)).putShort((short) 0x8180).putShort((short) 1);
    answer.putShort((short) (has ? 1 : 0)).putInt(0);
    answer.put(question.array(), HEADER, length - HEADER);
    if (has) {
      // The name is that of the question.
      answer.putShort((short) 0xC00C).putShort(AAAA).putShort((short) 1).putInt(60);
      answer.putShort((short) address.length).put(address);
    }
    return answer.array();
  }

  @Override
  public void close() {
    socket.close();
    try {
      // The port is free when who receives has let go of it.
      server.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
