// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.URL;
import java.security.GeneralSecurityException;
import javax.net.ssl.TrustManager;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.eclipse.jgit.transport.http.HttpConnectionFactory;
import org.eclipse.jgit.transport.http.JDKHttpConnection;

/** JGit's connections, with a bound on bytes and time, and with our own authorities. One thread. */
final class GitConnections implements HttpConnectionFactory {
  private final Budget budget;
  private final long deadlineNs;
  private final TrustManager[] authorities;

  /**
   * For one fetch.
   *
   * @param budget bytes from the network
   * @param deadlineNs end, as {@link System#nanoTime} has it
   * @param authorities whom to trust; null for the runtime's own
   */
  GitConnections(Budget budget, long deadlineNs, TrustManager[] authorities) {
    this.budget = budget;
    this.deadlineNs = deadlineNs;
    this.authorities = authorities;
  }

  /** The fetch took too long. */
  static final class Late extends IOException {
    private static final long serialVersionUID = 1;

    Late() {
      super("the fetch took too long");
    }
  }

  @Override
  public HttpConnection create(URL url) throws IOException {
    return prepared(new Bounded(url));
  }

  @Override
  public HttpConnection create(URL url, Proxy proxy) throws IOException {
    return prepared(new Bounded(url, proxy));
  }

  private HttpConnection prepared(Bounded connection) throws IOException {
    if (authorities != null && connection.getURL().getProtocol().equals("https")) {
      try {
        connection.configure(null, authorities, null);
      } catch (GeneralSecurityException e) {
        throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
      }
    }
    return connection;
  }

  private final class Bounded extends JDKHttpConnection {
    Bounded(URL url) throws IOException {
      super(url);
    }

    Bounded(URL url, Proxy proxy) throws IOException {
      super(url, proxy);
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(budget.counted(super.getInputStream())) {
        @Override
        public int read() throws IOException {
          requireTime();
          return super.read();
        }

        @Override
        public int read(byte[] into, int at, int length) throws IOException {
          requireTime();
          return super.read(into, at, length);
        }
      };
    }

    private void requireTime() throws Late {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new Late();
      }
    }
  }
}
