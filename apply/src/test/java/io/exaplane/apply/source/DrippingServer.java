// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Answers each connection with the same bytes, and then with one byte every tenth of a second. */
final class DrippingServer implements AutoCloseable {
  final CountDownLatch dripped = new CountDownLatch(3);
  private final byte[] begin;
  private final ServerSocket server = new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService drips = Executors.newSingleThreadScheduledExecutor();

  DrippingServer(byte[] begin) throws IOException {
    this.begin = begin.clone();
    Thread.ofVirtual().start(this::accept);
  }

  String url(String scheme) {
    return "%s://127.0.0.1:%d/shop.git".formatted(scheme, server.getLocalPort());
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        OutputStream out = socket.getOutputStream();
        out.write(begin);
        drips.scheduleWithFixedDelay(() -> drip(out), 100, 100, TimeUnit.MILLISECONDS);
      }
    } catch (IOException e) {
      // The test is over.
      drips.shutdownNow();
    }
  }

  private void drip(OutputStream out) {
    try {
      out.write('a');
      dripped.countDown();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException("the caller left, and gets nothing more", e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
