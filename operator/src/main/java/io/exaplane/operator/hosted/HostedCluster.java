// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jboss.logging.Logger;

/**
 * The operator's connections to one hosted API: a client with a certificate that lives in memory
 * only, the approver of kubelets' serving certificates and watches of the operator's objects. They
 * are opened when the API answers, and closed when it has not for a while. Thread-safe; closed by
 * {@link HostedClusters}.
 */
public final class HostedCluster implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(HostedCluster.class);
  private static final Duration CLIENT_VALIDITY = Duration.ofHours(24);

  private final HostedApi api;
  private final String server;
  private final Runnable changed;
  private final HostedClients clients;
  private final X509ExtendedTrustManager trust;
  private volatile ServingRules rules;
  private Open open;
  private boolean closed;

  /** What is there from the first use on. */
  private record Open(
      KubernetesClient client,
      KubeletServingApprover approver,
      HostedWatches watches,
      KeyAndCertificate own,
      Map<Class<?>, Attachment> attached) {
    void close() {
      attached.values().forEach(Attachment::close);
      watches.close();
      approver.close();
      client.close();
    }
  }

  /** What a kind keeps on a connection, and what ends with it. */
  public interface Attachment {
    /** Whether it ended by itself, and another one is to be made. */
    boolean hasEnded();

    /** Ends it; does not wait. */
    void close();
  }

  /**
   * Knows the way and opens nothing yet.
   *
   * @param changed is called when somebody changed an object of the operator's
   */
  HostedCluster(HostedApi api, HostedClients clients, Runnable changed) {
    this.api = api;
    this.server = api.server();
    this.rules = api.rules();
    this.clients = clients;
    this.changed = changed;
    this.trust = ProbeClient.trust(api.authorities().trusted());
  }

  /** A probe under way may still ask one that was closed; nobody would close what it opened. */
  private synchronized Open open() {
    if (closed) {
      throw new KubernetesClientException("the connection to the hosted API is closed");
    }
    if (open == null) {
      KeyAndCertificate own =
          api.authorities()
              .cluster()
              .issue(Leaf.client("exaplane-operator", "system:masters", CLIENT_VALIDITY));
      KubernetesClient client = clients.open(server, api.authorities().trusted(), own);
      open =
          new Open(
              client,
              new KubeletServingApprover(client, server, this::rules),
              new HostedWatches(client, changed),
              own,
              new HashMap<>());
    }
    return open;
  }

  /** What kubelets may serve from now on; requests that are pending are judged by it again. */
  void follow(ServingRules others) {
    rules = others;
  }

  /** What kubelets may serve now. */
  ServingRules rules() {
    return rules;
  }

  /** Whether this still leads to that API, with credentials in force. */
  boolean serves(HostedApi other, Instant now) {
    Authorities authorities = api.authorities();
    return server.equals(other.server())
        && authorities.trusted().equals(other.authorities().trusted())
        && authorities.cluster().ca().sha256().equals(other.authorities().cluster().ca().sha256())
        && (other.dataEpoch().isEmpty() || other.dataEpoch().equals(api.dataEpoch()))
        && isInForce(now);
  }

  private synchronized boolean isInForce(Instant now) {
    return open == null || now.isBefore(open.own().renewAfter());
  }

  /**
   * A client with all rights in the hosted cluster.
   *
   * @throws KubernetesClientException after close
   */
  public KubernetesClient client() {
    return open().client();
  }

  /**
   * A further client, the caller's to close, for what stands on this connection: without limits of
   * time, and in the name of a user.
   *
   * @param user whom the client impersonates; empty for nobody, with all rights
   * @throws KubernetesClientException while nothing is open: an API that does not answer is not
   *     asked for it
   */
  public synchronized KubernetesClient further(Optional<ImpersonatedUser> user) {
    if (open == null) {
      throw new KubernetesClientException("the connection to the hosted API is closed");
    }
    return clients.openUnlimited(server, api.authorities().trusted(), open.own(), user);
  }

  /** The same; none after close. */
  public synchronized Optional<KubernetesClient> clientUnlessClosed() {
    return closed ? Optional.empty() : Optional.of(client());
  }

  /**
   * The operator's certificate there.
   *
   * @throws KubernetesClientException after close
   */
  public KeyAndCertificate identity() {
    return open().own();
  }

  /** Who is trusted to be its API. */
  public X509ExtendedTrustManager trust() {
    return trust;
  }

  /** Closes what is open, until somebody uses it again. */
  public synchronized void rest() {
    if (open != null) {
      LOG.debugf("closing connections to %s", server);
      open.close();
      open = null;
    }
  }

  /** Starts approving kubelets' serving certificates, once the API answers. */
  void startApprover() {
    open().approver().start();
  }

  /** Starts watching the operator's objects, once they are there. */
  void startWatches() {
    open().watches().start();
  }

  /**
   * What stands on this connection; made if there is none that goes on.
   *
   * @param make must not wait for the API
   * @return empty while nothing is open: an API that does not answer is not asked for it
   */
  public synchronized <T extends Attachment> Optional<T> attach(
      Class<T> type, Function<KubernetesClient, T> make) {
    if (open == null) {
      return Optional.empty();
    }
    Attachment found = open.attached().get(type);
    if (found == null || found.hasEnded()) {
      found = make.apply(open.client());
      open.attached().put(type, found);
    }
    return Optional.of(type.cast(found));
  }

  /** What stands on this connection, if it does. */
  public synchronized <T extends Attachment> Optional<T> attached(Class<T> type) {
    return open == null
        ? Optional.empty()
        : Optional.ofNullable(open.attached().get(type)).map(type::cast);
  }

  /** Ends what stands on this connection. */
  public synchronized void detach(Class<? extends Attachment> type) {
    Attachment found = open == null ? null : open.attached().remove(type);
    if (found != null) {
      found.close();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    rest();
  }
}
