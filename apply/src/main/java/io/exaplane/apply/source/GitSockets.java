// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

/**
 * The open connections of one fetch. A watch of its own closes them at the deadline, or when the
 * fetching thread is interrupted: a thread that waits for a socket notices neither. Thread-safe.
 */
final class GitSockets implements AutoCloseable {
  private static final int LOOK_MS = 100;

  private final SSLSocketFactory tls;
  private final List<Socket> sockets = new ArrayList<>();
  private final List<HttpURLConnection> connections = new ArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private boolean isOver;

  /**
   * For a fetch of the calling thread.
   *
   * @param deadlineNs end, as {@link System#nanoTime} has it
   * @param tls makes the sockets with TLS
   */
  GitSockets(long deadlineNs, SSLSocketFactory tls) {
    this.tls = new Held(tls);
    Thread fetcher = Thread.currentThread();
    Thread.ofVirtual().name("git-end").start(() -> watch(fetcher, deadlineNs));
  }

  /** Whether the watch closed the connections. */
  synchronized boolean isOver() {
    return isOver;
  }

  /** The same address; the connections that it opens are remembered. */
  URL held(URL url) throws IOException {
    try {
      return URL.of(url.toURI(), new Opener(url));
    } catch (URISyntaxException e) {
      throw new IOException("the address is malformed: " + e.getReason(), e);
    }
  }

  private void watch(Thread fetcher, long deadlineNs) {
    try {
      while (!ended.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
        if (System.nanoTime() - deadlineNs > 0 || fetcher.isInterrupted()) {
          end();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void end() {
    List<HttpURLConnection> open;
    synchronized (this) {
      isOver = true;
      open = List.copyOf(connections);
    }
    // The sockets first: a reader of a body holds a lock that disconnect waits for.
    closeSockets();
    open.forEach(HttpURLConnection::disconnect);
  }

  private void closeSockets() {
    List<Socket> open;
    synchronized (this) {
      open = List.copyOf(sockets);
    }
    open.forEach(GitSockets::close);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // The system closes the socket all the same.
      return;
    }
  }

  private synchronized <T extends Socket> T hold(T socket) throws IOException {
    if (isOver) {
      socket.close();
      throw new SocketException("the fetch is over");
    }
    sockets.add(socket);
    return socket;
  }

  private synchronized URLConnection hold(URLConnection opened) throws IOException {
    if (isOver) {
      throw new SocketException("the fetch is over");
    }
    if (opened instanceof HttpURLConnection connection) {
      connections.add(connection);
    }
    if (opened instanceof HttpsURLConnection connection) {
      connection.setSSLSocketFactory(tls);
    }
    return opened;
  }

  @Override
  public void close() {
    ended.countDown();
    closeSockets();
  }

  private final class Opener extends URLStreamHandler {
    private final URL url;

    Opener(URL url) {
      this.url = url;
    }

    @Override
    protected URLConnection openConnection(URL asked) throws IOException {
      return hold(url.openConnection());
    }

    @Override
    protected URLConnection openConnection(URL asked, Proxy proxy) throws IOException {
      return hold(url.openConnection(proxy));
    }
  }

  /**
   * Leaves {@code createSocket()} as it is, so that the JDK connects a socket without TLS, and puts
   * TLS on that one: such a socket can be closed while another thread is in a handshake.
   */
  private final class Held extends SSLSocketFactory {
    private final SSLSocketFactory plain;

    Held(SSLSocketFactory plain) {
      this.plain = plain;
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean closes)
        throws IOException {
      return plain.createSocket(hold(socket), host, port, closes);
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return createSocket(new Socket(host, port), host, port, true);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort)
        throws IOException {
      return createSocket(new Socket(host, port, from, fromPort), host, port, true);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
      return createSocket(new Socket(host, port), host.getHostAddress(), port, true);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
        throws IOException {
      return createSocket(
          new Socket(host, port, from, fromPort), host.getHostAddress(), port, true);
    }

    @Override
    public String[] getDefaultCipherSuites() {
      return plain.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
      return plain.getSupportedCipherSuites();
    }
  }
}
