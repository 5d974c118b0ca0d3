// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What goes from one process to another over loopback, and can be held back: nobody is told. */
final class Cable implements AutoCloseable {
  private final int to;
  private final ServerSocket server;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition whole = lock.newCondition();
  private boolean cut;

  /** To a port of this machine. */
  Cable(String address) throws IOException {
    to = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    server = new ServerSocket(Machine.freePort(), 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Where it begins. */
  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  /** Nothing gets through from now on, and nothing is lost. */
  void cut() {
    lock.lock();
    cut = true;
    lock.unlock();
  }

  /** What was held back gets through. */
  void mend() {
    lock.lock();
    cut = false;
    whole.signalAll();
    lock.unlock();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        connect(server.accept());
      } catch (IOException e) {
        // It was closed; otherwise the next one may come through.
      }
    }
  }

  /** The one who comes is sent away if nobody is there. */
  private void connect(Socket from) throws IOException {
    sockets.add(from);
    try {
      Socket onwards = new Socket(InetAddress.getLoopbackAddress(), to);
      sockets.add(onwards);
      Thread.ofVirtual().start(() -> pass(from, onwards));
      Thread.ofVirtual().start(() -> pass(onwards, from));
    } catch (IOException e) {
      from.close();
    }
  }

  private void pass(Socket from, Socket onwards) {
    byte[] buffer = new byte[1 << 16];
    try (from;
        onwards) {
      InputStream in = from.getInputStream();
      OutputStream out = onwards.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        awaitWhole();
        out.write(buffer, 0, count);
      }
    } catch (IOException e) {
      // One end is gone, so the other goes.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitWhole() throws InterruptedException {
    lock.lock();
    try {
      while (cut) {
        whole.await();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    mend();
    for (Socket socket : List.copyOf(sockets)) {
      socket.close();
    }
  }
}
