// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.certificates.v1.CertificateSigningRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Approves the serving certificates that kubelets ask for, after the checks of {@link
 * KubeletServingRequest} and {@link AddressHolders}. A request that fails one stays pending, as
 * upstream's own approver leaves what it does not know; the log says why. Client certificates are
 * approved by kube-controller-manager. Started once; its handler runs on the informer's thread.
 */
public final class KubeletServingApprover implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(KubeletServingApprover.class);
  static final String SIGNER = "kubernetes.io/kubelet-serving";
  private static final long RESYNC_MS = 60_000;

  private final KubernetesClient client;
  private final String server;
  private final Supplier<ServingRules> rules;
  private final AddressConfigMaps record;
  private final AddressHolders holders;
  private final BegunInformers informers = new BegunInformers();

  /**
   * Starts nothing yet.
   *
   * @param rules those of now; asked for each request, on the informer's thread
   */
  KubeletServingApprover(KubernetesClient client, String server, Supplier<ServingRules> rules) {
    this.client = client;
    this.server = server;
    this.rules = rules;
    this.record = new AddressConfigMaps(client);
    this.holders = new AddressHolders(record, this::node);
  }

  void start() {
    informers.begin(
        List.of(
            () ->
                client
                    .certificates()
                    .v1()
                    .certificateSigningRequests()
                    .withField("spec.signerName", SIGNER)
                    .inform(new Handler(), RESYNC_MS)));
  }

  @Override
  public void close() {
    informers.close();
  }

  private final class Handler implements ResourceEventHandler<CertificateSigningRequest> {
    @Override
    public void onAdd(CertificateSigningRequest request) {
      judge(request);
    }

    @Override
    public void onUpdate(CertificateSigningRequest before, CertificateSigningRequest request) {
      judge(request);
    }

    @Override
    public void onDelete(CertificateSigningRequest request, boolean finalStateUnknown) {
      // Nothing was kept of it.
    }
  }

  private void judge(CertificateSigningRequest request) {
    if (request.getStatus() != null
        && request.getStatus().getConditions() != null
        && !request.getStatus().getConditions().isEmpty()) {
      return;
    }
    try {
      Optional<String> objection = objection(request);
      if (objection.isPresent()) {
        LOG.warnf(
            "CertificateSigningRequest %s of %s at %s stays pending: %s",
            request.getMetadata().getName(),
            request.getSpec().getUsername(),
            server,
            objection.get());
        return;
      }
      approve(request);
    } catch (KubernetesClientException e) {
      LOG.warnf(
          "CertificateSigningRequest %s at %s is checked again within %d s: %s",
          request.getMetadata().getName(), server, RESYNC_MS / 1000, e.getMessage());
    }
  }

  private Optional<String> objection(CertificateSigningRequest request) {
    var verdict =
        KubeletServingRequest.read(request).judge(this::node, rules.get(), this::isRecorded);
    if (verdict.objection().isPresent() || verdict.node().isEmpty()) {
      return verdict.objection();
    }
    record.prepare();
    return holders.claim(verdict.node().get(), verdict.addresses());
  }

  private boolean isRecorded(Node node, InetAddress address) {
    record.prepare();
    return holders.has(node, address);
  }

  private Optional<Node> node(String name) {
    return Optional.ofNullable(client.nodes().withName(name).get());
  }

  private void approve(CertificateSigningRequest request) {
    client
        .certificates()
        .v1()
        .certificateSigningRequests()
        .withName(request.getMetadata().getName())
        .approve(
            new io.fabric8.kubernetes.api.model.certificates.v1
                    .CertificateSigningRequestConditionBuilder()
                .withType("Approved")
                .withStatus("True")
                .withReason("ExaplaneKubeletServing")
                .withMessage("The names and addresses belong to the requesting node.")
                .build());
    LOG.infof(
        "approved the serving certificate of %s at %s", request.getSpec().getUsername(), server);
  }
}
