// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.exaplane.testbed.store.ProbePortProcessTest.Slow;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * What hostile clients do to a port of TLS behind a handshake that went well: all that others do in
 * the clear, by HTTP/1.1 and by HTTP/2, one after the other, from several addresses.
 */
final class TlsAttacks implements AutoCloseable {
  private static final int ATTACKERS = 4;

  /** Connections that an attacker keeps open. */
  private static final int KEPT = 60;

  /** The store may let an attacker wait, who then goes on with the next connection. */
  private static final int PATIENCE_MS = 10_000;

  /** What is sent on a connection. */
  private interface Use {
    void of(Socket socket, Random random) throws IOException;
  }

  /** One kind of behaviour on a connection, and the protocol that its client speaks. */
  private record Way(String protocol, Use use) {}

  private final int port;
  private final SSLSocketFactory factory;
  private final List<Way> ways = new ArrayList<>();
  private final Set<Integer> made = ConcurrentHashMap.newKeySet();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<Thread> attackers = new ArrayList<>();
  private volatile boolean isEnding;

  TlsAttacks(int port, SSLSocketFactory factory) {
    this.port = port;
    this.factory = factory;
    Arrays.stream(Slow.values())
        .filter(Slow::isClear)
        .forEach(slow -> ways.add(new Way("http/1.1", (socket, _) -> send(socket, slow.text))));
    Arrays.stream(Attack.values())
        // Its connections are in the clear, as those of NO_HANDSHAKE.
        .filter(attack -> attack != Attack.CONNECTIONS)
        .forEach(
            attack -> ways.add(new Way("h2", (socket, random) -> make(socket, attack, random))));
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
  }

  /** The connection stays open: who began it closes it. */
  private static void make(Socket socket, Attack attack, Random random) throws IOException {
    RawConnection connection = new RawConnection(socket, RawConnection.PREFACE_BYTES);
    connection.frame(RawConnection.SETTINGS, 0, 0, new byte[0]);
    attack.once(connection, random);
  }

  /** Begins; goes on until it is closed. */
  void start() {
    for (int i = 0; i < ATTACKERS; i++) {
      int attacker = i;
      attackers.add(Thread.ofPlatform().daemon().start(() -> attack(attacker)));
    }
  }

  /** Whether each attack has begun behind a handshake that went well. */
  boolean wereAllMade() {
    return made.size() == ways.size();
  }

  private void attack(int attacker) {
    Random random = new Random(attacker);
    Queue<Socket> kept = new ArrayDeque<>();
    for (int i = attacker * ways.size() / ATTACKERS; !isEnding; i++) {
      int way = i % ways.size();
      // Of an address of its own: a source that is restrained would keep the others waiting.
      String from = "127.0.%d.%d".formatted(2 + attacker, 1 + way);
      try {
        Socket plain = new Socket("127.0.0.1", port, InetAddress.getByName(from), 0);
        // To close that one ends a write, too, for which TLS would wait.
        open.add(plain);
        kept.add(plain);
        plain.setSoTimeout(PATIENCE_MS);
        Socket secure = handshake(plain, ways.get(way).protocol());
        made.add(way);
        ways.get(way).use().of(secure, random);
      } catch (IOException e) {
        // The store closed it, as it should, or lets it wait.
      }
      if (kept.size() > KEPT) {
        close(kept.poll());
      }
    }
  }

  private Socket handshake(Socket plain, String protocol) throws IOException {
    SSLSocket socket = (SSLSocket) factory.createSocket(plain, "127.0.0.1", port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private void close(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone.
    }
  }

  @Override
  public void close() {
    isEnding = true;
    try {
      for (Thread attacker : attackers) {
        attacker.interrupt();
        open.forEach(this::close);
        attacker.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    open.forEach(this::close);
  }

  @Override
  public String toString() {
    return "%d of %d ways".formatted(made.size(), ways.size());
  }
}
