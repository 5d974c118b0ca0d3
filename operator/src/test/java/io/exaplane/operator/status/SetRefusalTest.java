// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 34: who refuses the pods of a StatefulSet is named, of a pool as well as of a store. */
class SetRefusalTest {
  private final EventServer events = new EventServer();

  @AfterEach
  void close() {
    events.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pods \"p-root-0\" is forbidden: exceeded quota: q, requested: pods=1 | exceeded quota: q | raise the quota, or remove objects that it counts",
        "pods \"p-root-0\" is forbidden: violates PodSecurity \"restricted:latest\": no | violates PodSecurity | change the namespace's label pod-security.kubernetes.io/enforce",
        "admission webhook \"policy.example\" denied the request: no | admission webhook \"policy.example\" denied | ask its owner for an exception",
        "failed calling webhook \"policy.example\": context deadline exceeded | failed calling webhook | repair the webhook, or remove its configuration",
        "pods \"p-root-0\" is forbidden: no PriorityClass with name exaplane-store was found | exaplane-store | which creates the operator's own",
        "pods \"p-root-0\" is forbidden: error looking up service account ns/default: serviceaccount \"default\" not found | ns/default | in a new namespace Kubernetes creates it within seconds",
        "pods \"p-root-0\" is forbidden: unable to validate against any security context constraint: [no] | security context | add-scc-to-user nonroot-v2 -z default -n NAMESPACE",
        "pods \"p-root-0\" is forbidden: cpu max limit to request ratio per Container is 2, but provided ratio is 4 | ratio | set requests and limits in the spec",
        "something that nobody knows | nobody knows | change the quota or the rule that refuses the pods",
      })
  void whoRefusesIsNamed(String message, String words, String next) {
    events.say(
        "u", "FailedCreate", "create Pod p-root-0 in StatefulSet p-root failed error: " + message);
    assertThat(SetRefusal.of(SetRefusal.read(set("{replicas: 0}"), events.client())).orElseThrow())
        .startsWith("StatefulSet p-root cannot create its pods: ")
        .contains(words)
        .contains("; ")
        .contains(next);
    assertThat(SetRefusal.of(SetRefusal.read(set("{replicas: 2}"), events.client()))).isEmpty();
  }

  private static StatefulSet set(String status) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: p-root, namespace: ns, uid: u}
        spec: {replicas: 2}
        status: %s
        """
            .formatted(status),
        StatefulSet.class);
  }
}
