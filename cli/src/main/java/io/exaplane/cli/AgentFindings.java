// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.measure.ApiServer;
import io.exaplane.cli.measure.MeasurementException;
import io.exaplane.tuning.lists.ClientReport;
import io.exaplane.tuning.lists.Finding;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Writes what LISTs cost into an annotation of each DaemonSet whose pods have a service account of
 * their own, and takes the annotation from others. Pods do not restart.
 */
final class AgentFindings {
  /** Exaplane's operator shows it in the status of NodePools that list the DaemonSet. */
  static final String ANNOTATION = "exaplane.io/lists-findings";

  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
  private static final String ACCOUNT = "system:serviceaccount:";

  private AgentFindings() {}

  /**
   * Looks at all DaemonSets.
   *
   * @param context of the kubeconfig; null for its current one
   * @param today stands before the findings
   * @param tell takes a line about each DaemonSet with findings
   * @throws MeasurementException if the account may not list or patch DaemonSets
   */
  static void tell(
      Path kubeconfig,
      String context,
      List<ClientReport> clients,
      LocalDate today,
      Consumer<String> tell) {
    try (KubernetesClient client =
        new KubernetesClientBuilder().withConfig(ApiServer.config(kubeconfig, context)).build()) {
      for (DaemonSet set : client.apps().daemonSets().inAnyNamespace().list().getItems()) {
        Optional<String> found = of(set, clients);
        found.ifPresent(
            text ->
                tell.accept(
                    "DaemonSet %s/%s: %s"
                        .formatted(
                            set.getMetadata().getNamespace(), set.getMetadata().getName(), text)));
        if (found.isPresent() || has(set)) {
          annotate(client, set, found.map(text -> today + ": " + text));
        }
      }
    } catch (KubernetesClientException e) {
      throw new MeasurementException(
          "DaemonSets cannot be listed or annotated: %s; let the account list and patch daemonsets.apps, or omit --tell-agents"
              .formatted(e.getMessage()));
    }
  }

  private static boolean has(DaemonSet set) {
    Map<String, String> annotations = set.getMetadata().getAnnotations();
    return annotations != null && annotations.containsKey(ANNOTATION);
  }

  /** What was found about the account of its pods; empty if the account is shared by default. */
  static Optional<String> of(DaemonSet set, List<ClientReport> clients) {
    String name = set.getSpec().getTemplate().getSpec().getServiceAccountName();
    if (name == null || name.isEmpty() || name.equals("default")) {
      return Optional.empty();
    }
    String own = ACCOUNT + set.getMetadata().getNamespace() + ":" + name;
    String family = ACCOUNT + "*:" + name;
    Map<String, Long> counts = new TreeMap<>();
    for (ClientReport client : clients) {
      String account = client.client().account();
      if (account.equals(own) || account.equals(family)) {
        for (Map.Entry<Finding, Long> each : client.findings().entrySet()) {
          counts.merge(ListsOutput.name(each.getKey()), each.getValue(), Long::sum);
        }
      }
    }
    return counts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            counts.entrySet().stream()
                .map(each -> "%s (%d)".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining(", ")));
  }

  private static void annotate(KubernetesClient client, DaemonSet set, Optional<String> text) {
    String value = text.map(found -> "\"" + found + "\"").orElse("null");
    client
        .apps()
        .daemonSets()
        .inNamespace(set.getMetadata().getNamespace())
        .withName(set.getMetadata().getName())
        .patch(MERGE, "{\"metadata\":{\"annotations\":{\"%s\":%s}}}".formatted(ANNOTATION, value));
  }
}
