// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.address;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jboss.logging.Logger;

/** Makes a Service with the addresses that it asks for, or without those that somebody has. */
public final class AddressRefusal {
  private static final Logger LOG = Logger.getLogger(AddressRefusal.class);
  private static final int INVALID = 422;

  private AddressRefusal() {}

  /**
   * Makes the Service. An address that the API server refuses, since another object has it or its
   * range is gone, is not asked for again.
   *
   * @param create makes it; throws what the API server says
   * @throws KubernetesClientException when something else is refused
   */
  public static Service create(Service asks, UnaryOperator<Service> create) {
    try {
      return create.apply(asks);
    } catch (KubernetesClientException e) {
      Set<KeptAddresses.Field> refused = refused(e);
      refused.retainAll(KeptAddresses.fields(asks));
      if (refused.isEmpty()) {
        throw e;
      }
      LOG.warnf(
          "Service %s/%s can't have %s of the Service before, which was deleted: %s",
          asks.getMetadata().getNamespace(), asks.getMetadata().getName(), refused, e.getMessage());
      return create(KeptAddresses.without(asks, refused), create);
    }
  }

  /** The addresses that an answer refuses. */
  static Set<KeptAddresses.Field> refused(KubernetesClientException e) {
    Set<KeptAddresses.Field> refused = EnumSet.noneOf(KeptAddresses.Field.class);
    if (e.getCode() != INVALID) {
      return refused;
    }
    List<StatusCause> causes =
        Optional.ofNullable(e.getStatus())
            .map(Status::getDetails)
            .map(details -> details.getCauses())
            .orElse(List.of());
    for (StatusCause cause : causes) {
      String field = cause.getField() == null ? "" : cause.getField();
      if (field.startsWith("spec.clusterIP") || field.startsWith("spec.ipFamil")) {
        refused.add(KeptAddresses.Field.clusterIPs);
      } else if (field.startsWith("spec.ports") && field.endsWith(".nodePort")) {
        refused.add(KeptAddresses.Field.nodePort);
      } else if (field.equals("spec.loadBalancerIP")) {
        refused.add(KeptAddresses.Field.loadBalancerIP);
      }
    }
    return refused;
  }
}
