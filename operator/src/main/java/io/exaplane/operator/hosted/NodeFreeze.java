// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeList;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/**
 * Holds back what kube-controller-manager does to nodes that it believes dead, by two objects in
 * the hosted cluster; no process restarts. The objects are the state: whoever comes next reads it
 * from them. Stateless; every method throws {@link KubernetesClientException} if the API refuses or
 * does not answer.
 */
public final class NodeFreeze {
  private static final Logger LOG = Logger.getLogger(NodeFreeze.class);
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
  private static final String FIELD_MANAGER = "exaplane-operator";
  private static final String NAME = "exaplane-node-freeze";
  private static final String EVICTS = "NoExecute";
  private static final Set<String> TAINTS =
      Set.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
  private static final long PAGE_NODES = 500;

  /** What there is. */
  public enum State {
    /** Nothing is held back. */
    NONE,
    /** Evictions are held back. */
    FROZEN,
    /** They are no more, and those that were refused are not asked for again yet. */
    RELEASED
  }

  private NodeFreeze() {}

  /** Looks; one or two requests. */
  public static State look(KubernetesClient client) {
    if (client.resources(ValidatingAdmissionPolicyBinding.class).withName(NAME).get() != null) {
      return State.FROZEN;
    }
    return client.resources(ValidatingAdmissionPolicy.class).withName(NAME).get() == null
        ? State.NONE
        : State.RELEASED;
  }

  /** Holds evictions back. */
  public static void freeze(KubernetesClient client) {
    for (HasMetadata object : objects()) {
      client.resource(object).fieldManager(FIELD_MANAGER).forceConflicts().serverSideApply();
    }
  }

  /** Lets evictions go on. kube-apiservers learn of it within a second or two. */
  public static void release(KubernetesClient client) {
    client.resources(ValidatingAdmissionPolicyBinding.class).withName(NAME).delete();
  }

  /**
   * Has the evictions done that were refused meanwhile: the controller tries each of them once, and
   * again only when the taints of the node change. So each taint of a node that is still not ready
   * gets the present time. Reads all nodes, page by page. To be called some seconds after the
   * release, when every kube-apiserver knows of it.
   *
   * @return number of nodes
   */
  public static int repeatEvictions(KubernetesClient client, Instant now) {
    int nodes = 0;
    String next = null;
    do {
      ListOptions page = new ListOptionsBuilder().withLimit(PAGE_NODES).withContinue(next).build();
      NodeList list = client.nodes().list(page);
      for (Node node : list.getItems()) {
        nodes += touch(client, node, now.truncatedTo(ChronoUnit.SECONDS)) ? 1 : 0;
      }
      next = list.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
    client.resources(ValidatingAdmissionPolicy.class).withName(NAME).delete();
    return nodes;
  }

  private static boolean touch(KubernetesClient client, Node node, Instant now) {
    List<Taint> taints = node.getSpec().getTaints();
    List<String> operations =
        IntStream.range(0, taints.size())
            .filter(i -> evicts(taints.get(i)))
            .mapToObj(
                i ->
                    """
                    {"op":"test","path":"/spec/taints/%1$d/key","value":"%2$s"},
                    {"op":"test","path":"/spec/taints/%1$d/effect","value":"%3$s"},
                    {"op":"add","path":"/spec/taints/%1$d/timeAdded","value":"%4$s"}"""
                        .formatted(i, taints.get(i).getKey(), EVICTS, now))
            .toList();
    if (operations.isEmpty()) {
      return false;
    }
    try {
      return client
              .nodes()
              .withName(node.getMetadata().getName())
              .patch(PatchContext.of(PatchType.JSON), "[" + String.join(",", operations) + "]")
          != null;
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND || e.getCode() == 422) {
        LOG.debugf("node %s changed meanwhile", node.getMetadata().getName());
        return false;
      }
      throw e;
    }
  }

  private static boolean evicts(Taint taint) {
    return TAINTS.contains(taint.getKey()) && EVICTS.equals(taint.getEffect());
  }

  /** The policy, then its binding. */
  private static List<HasMetadata> objects() {
    try (InputStream file = NodeFreeze.class.getResourceAsStream("/hosted/node-freeze.yaml")) {
      List<HasMetadata> objects = SERIALIZATION.unmarshal(file);
      return objects;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
