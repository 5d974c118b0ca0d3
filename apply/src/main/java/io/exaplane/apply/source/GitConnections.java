// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.security.GeneralSecurityException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.eclipse.jgit.lib.EmptyProgressMonitor;
import org.eclipse.jgit.lib.ProgressMonitor;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.eclipse.jgit.transport.http.HttpConnectionFactory;
import org.eclipse.jgit.transport.http.JDKHttpConnection;

/**
 * JGit's connections, also those after redirects: with a bound on bytes, time and hosts, and with
 * our own authorities. Answers must be Git's smart protocol, not packed further. Belongs to the
 * thread that makes it.
 */
final class GitConnections implements HttpConnectionFactory, AutoCloseable {
  /** Of lists of names and all else before a pack: JGit keeps the names in memory. */
  static final long MOST_NAMES = 8L << 20;

  private static final Set<String> SMART =
      Set.of("application/x-git-upload-pack-advertisement", "application/x-git-upload-pack-result");

  private final Budget budget;
  private final long packBytes;
  private final long deadlineNs;
  private final Reach reach;
  private final GitSockets sockets;
  private boolean isPack;

  /** Of the last answer; 0 while a connection has no answer. */
  private int lastStatus;

  /**
   * For one fetch, which begins now.
   *
   * @param authorities whom to trust; null for the runtime's own
   */
  GitConnections(Limits limits, TrustManager[] authorities) throws IOException {
    deadlineNs = System.nanoTime() + limits.time().toNanos();
    packBytes = limits.downloadBytes();
    budget = new Budget(Math.min(MOST_NAMES, packBytes));
    reach = limits.reach();
    sockets = new GitSockets(deadlineNs, tls(authorities));
  }

  /** A host must not be asked. */
  static final class Barred extends IOException {
    private static final long serialVersionUID = 1;
    private final transient SourceProblem problem;

    Barred(Refused refused) {
      super(refused.getMessage(), refused);
      problem = refused.problem();
    }

    SourceProblem problem() {
      return problem;
    }
  }

  /** The fetch took too long, or nobody wants its files any more. */
  static final class Late extends IOException {
    private static final long serialVersionUID = 1;

    Late(Throwable cause) {
      super("the fetch took too long", cause);
    }
  }

  /** The server refuses the login, or a caller without one. */
  static final class Denied extends IOException {
    private static final long serialVersionUID = 1;

    Denied(Throwable cause) {
      super("the server refused the login", cause);
    }
  }

  /** The server lists too many names. */
  static final class Names extends IOException {
    private static final long serialVersionUID = 1;

    Names(Budget.Exceeded cause) {
      super("more names than allowed", cause);
    }
  }

  /** The answer is of a kind that is not read. */
  static final class Foreign extends IOException {
    private static final long serialVersionUID = 1;

    Foreign(String what) {
      super(what);
    }
  }

  /** From now on, bytes count as those of the pack. */
  void packBegins() {
    if (!isPack) {
      isPack = true;
      budget.renew(packBytes);
    }
  }

  /** Whether connections were closed, since the time is over or the thread is interrupted. */
  boolean isOver() {
    return sockets.isOver() || System.nanoTime() - deadlineNs > 0;
  }

  /** Whether the last answer refused the login, or the caller without one. */
  boolean isDenied() {
    return lastStatus == HttpURLConnection.HTTP_UNAUTHORIZED
        || lastStatus == HttpURLConnection.HTTP_FORBIDDEN;
  }

  /** Ends JGit's own work on a pack with the time. */
  ProgressMonitor monitor() {
    return new EmptyProgressMonitor() {
      @Override
      public boolean isCancelled() {
        return isOver();
      }
    };
  }

  @Override
  public HttpConnection create(URL url) throws IOException {
    require(url);
    return new Bounded(sockets.held(url));
  }

  @Override
  public HttpConnection create(URL url, Proxy proxy) throws IOException {
    require(url);
    return new Bounded(sockets.held(url), proxy);
  }

  @Override
  public void close() {
    sockets.close();
  }

  private void require(URL url) throws IOException {
    lastStatus = 0;
    requireTime();
    try {
      reach.require("url", url.getProtocol(), url.getHost());
    } catch (Refused e) {
      throw new Barred(e);
    }
  }

  private void requireTime() throws Late {
    if (isOver()) {
      throw new Late(null);
    }
  }

  private static SSLSocketFactory tls(TrustManager[] authorities) throws IOException {
    if (authorities == null) {
      return HttpsURLConnection.getDefaultSSLSocketFactory();
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, authorities, null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  private final class Bounded extends JDKHttpConnection {
    Bounded(URL url) throws IOException {
      super(url);
    }

    Bounded(URL url, Proxy proxy) throws IOException {
      super(url, proxy);
    }

    /** JGit asks for gzip, whose size after unpacking no budget would count. */
    @Override
    public void setRequestProperty(String name, String value) {
      super.setRequestProperty(name, name.equalsIgnoreCase("Accept-Encoding") ? "identity" : value);
    }

    @Override
    public int getResponseCode() throws IOException {
      lastStatus = super.getResponseCode();
      return lastStatus;
    }

    @Override
    public void setConnectTimeout(int milliseconds) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
      super.setConnectTimeout((int) Math.max(1, Math.min(milliseconds, left)));
    }

    @Override
    public InputStream getInputStream() throws IOException {
      InputStream body = super.getInputStream();
      requireSmart();
      return new Body(budget.counted(body));
    }

    private void requireSmart() throws IOException {
      String coding = getHeaderField("Content-Encoding");
      if (coding != null && !coding.equalsIgnoreCase("identity")) {
        throw new Foreign("is answered with a Content-Encoding, which was not asked for");
      }
      // Without that, JGit would read a plain folder of files, with indexes of any size.
      if (getResponseCode() == HttpURLConnection.HTTP_OK
          && (getContentType() == null || !SMART.contains(getContentType()))) {
        throw new Foreign("is not answered in Git's smart protocol");
      }
    }
  }

  private final class Body extends FilterInputStream {
    Body(InputStream counted) {
      super(counted);
    }

    @Override
    public int read() throws IOException {
      requireTime();
      try {
        return super.read();
      } catch (Budget.Exceeded e) {
        throw spent(e);
      }
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
      requireTime();
      try {
        return super.read(into, at, length);
      } catch (Budget.Exceeded e) {
        throw spent(e);
      }
    }

    @Override
    public long skip(long bytes) throws IOException {
      requireTime();
      try {
        return super.skip(bytes);
      } catch (Budget.Exceeded e) {
        throw spent(e);
      }
    }

    private IOException spent(Budget.Exceeded e) {
      return isPack ? e : new Names(e);
    }
  }
}
