// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A connection of HTTP/2 on which anything may be said. */
final class RawConnection implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;
  static final byte GET = (byte) 0x82;
  private static final byte POST = (byte) 0x83;
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
  static final int PREFACE_BYTES = PREFACE.length;

  /** A test that reads an answer that never comes fails. */
  private static final int PATIENCE_MS = 300_000;

  final int port;
  private final Socket socket;
  private final OutputStream out;

  /**
   * @param from the address that it comes from
   * @param prefaceBytes how much of what a client says first is said
   */
  RawConnection(String from, int port, int prefaceBytes) throws IOException {
    this(connect(from, port), prefaceBytes);
  }

  private static Socket connect(String from, int port) throws IOException {
    Socket connected = new Socket("127.0.0.1", port, InetAddress.getByName(from), 0);
    connected.setSoTimeout(PATIENCE_MS);
    return connected;
  }

  /** The same on a connection that is there, be it one of TLS. */
  RawConnection(Socket connected, int prefaceBytes) throws IOException {
    this.port = connected.getPort();
    socket = connected;
    socket.setTcpNoDelay(true);
    out = socket.getOutputStream();
    out.write(PREFACE, 0, prefaceBytes);
  }

  void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    out.write(frame.array());
  }

  /** A request's headers as literals without Huffman coding. */
  void headers(int stream, String path, boolean ends) throws IOException {
    headers(stream, POST, path, ends);
  }

  /**
   * The same by another method.
   *
   * @param method its place in the table of HPACK
   */
  void headers(int stream, byte method, String path, boolean ends) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(200);
    block.put(method).put((byte) 0x86); // :scheme http
    literal(block, 4, path);
    literal(block, 1, "localhost");
    literal(block, 31, "application/grpc");
    byte[] bytes = new byte[block.flip().remaining()];
    block.get(bytes);
    frame(HEADERS, END_HEADERS | (ends ? END_STREAM : 0), stream, bytes);
  }

  /** A request for a page, which has no body. */
  void page(int stream, String method, String path) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(400);
    literal(block, 2, method);
    block.put((byte) 0x86); // :scheme http
    literal(block, 4, path);
    literal(block, 1, "localhost");
    byte[] bytes = new byte[block.flip().remaining()];
    block.get(bytes);
    frame(HEADERS, END_HEADERS | END_STREAM, stream, bytes);
  }

  private static void literal(ByteBuffer block, int name, String value) {
    if (name < 15) {
      block.put((byte) name);
    } else {
      block.put((byte) 0x0f).put((byte) (name - 15));
    }
    block.put((byte) value.length()).put(value.getBytes(US_ASCII));
  }

  InputStream in() throws IOException {
    return socket.getInputStream();
  }

  void idle(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
