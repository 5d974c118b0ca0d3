// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** The Service of the console, where somebody asks for the console. */
final class ConsoleObjects {
  /** A word that stands for a value, alone where YAML has it. */
  private static final String SERVICE = "HELM_SERVICE";

  private ConsoleObjects() {}

  /** The Service in a namespace, as YAML. */
  static String service(String namespace) throws IOException {
    return Deliverables.YAML.writeValueAsString(object(namespace));
  }

  private static ObjectNode object(String namespace) throws IOException {
    return (ObjectNode)
        Deliverables.YAML.readTree(
            """
            apiVersion: v1
            kind: Service
            metadata:
              labels:
                app.kubernetes.io/name: exaplane-operator
              name: exaplane-operator-console
              namespace: %s
            spec:
              ports:
              - name: https
                port: 443
                protocol: TCP
                targetPort: %s
              selector:
                app.kubernetes.io/name: exaplane-operator
              type: ClusterIP
            """
                .formatted(namespace, ChartValues.setting("ConsoleConfig", "port")));
  }

  /** The chart's template. */
  static String template(String version) throws IOException {
    ObjectNode service = object("HELM_NAMESPACE");
    service
        .withObject("/metadata/labels")
        .put("app.kubernetes.io/managed-by", SERVICE)
        .put("helm.sh/chart", "exaplane-" + version);
    return ("{{- /* Generated: './exa generate' writes this file. */}}\n"
            + "{{- if .Values.console.enabled }}\n---\n%s{{- end }}\n")
        .formatted(Deliverables.YAML.writeValueAsString(service))
        .replace("HELM_NAMESPACE", "{{ .Release.Namespace }}")
        .replace(SERVICE, "{{ .Release.Service }}");
  }
}
