// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.install;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.operator.config.Leading;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Brings the objects that every installation has up to date when this operator begins to lead, and
 * writes nothing when they are. One that may not goes on without them. Used by one thread.
 */
@ApplicationScoped
class Installation {
  private static final Logger LOG = Logger.getLogger(Installation.class);

  private final KubernetesClient client;
  private final Installed installed;
  private final ObjectMapper json = new ObjectMapper();

  Installation(KubernetesClient client, Installed installed) {
    this.client = client;
    this.installed = installed;
  }

  void onLeading(@Observes Leading now) {
    List<String> refused = new ArrayList<>();
    String why = "";
    for (HasMetadata wanted : ClusterObjects.wanted(client.getKubernetesSerialization())) {
      try {
        ensure(wanted);
        installed.add(wanted);
      } catch (KubernetesClientException e) {
        refused.add(wanted.getKind() + " " + wanted.getMetadata().getName());
        why = e.getMessage();
      }
    }
    if (!refused.isEmpty()) {
      LOG.warnf(
          "%s: cannot be written, so these objects have no effect. Apply the operator's "
              + "manifests for its roles, and restart the operator: %s",
          String.join(", ", refused), why);
    }
  }

  private void ensure(HasMetadata wanted) {
    HasMetadata there = client.resource(wanted).get();
    if (there == null) {
      client.resource(wanted).create();
    } else if (!ClusterObjects.says(json.valueToTree(there), json.valueToTree(wanted))) {
      // Server-side apply would keep what others added to lists that are sets, such as Warn.
      client
          .resource(wanted)
          .patch(PatchContext.of(PatchType.JSON_MERGE), json.valueToTree(wanted).toString());
    } else {
      return;
    }
    LOG.infof("wrote %s %s", wanted.getKind(), wanted.getMetadata().getName());
  }
}
