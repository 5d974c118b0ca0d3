// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.operator.controlplane.sizing.Tuned;
import io.exaplane.operator.controlplane.sizing.TuningReport;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.EndpointsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.api.model.flowcontrol.v1.FlowSchema;
import io.fabric8.kubernetes.api.model.flowcontrol.v1.PriorityLevelConfiguration;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the operator keeps inside a hosted cluster: who may join, where the Service kubernetes
 * leads, and what the tuning model says for it. Pure.
 */
public final class HostedObjects {
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
  private static final String ADVICE = "exaplane-tuning";
  private static final String PUBLIC = "kube-public";
  private static final String KUBERNETES = "kubernetes";

  private HostedObjects() {}

  /**
   * All objects for an API that is reached at that endpoint.
   *
   * @param administrators the group in the administrator's kubeconfig
   */
  static List<HasMetadata> of(
      String administrators, Endpoint endpoint, Tuned tuned, boolean managesFlowControl) {
    List<HasMetadata> objects = new ArrayList<>(List.of(administrators(administrators)));
    objects.addAll(access(endpoint));
    objects.addAll(advice(tuned));
    if (managesFlowControl) {
      tuned.flowControl().stream().map(HostedObjects::flowControl).forEach(objects::add);
    }
    return objects;
  }

  /** What the administrator's kubeconfig may do; a group of before may do nothing any more. */
  static HasMetadata administrators(String group) {
    return binding("exaplane-admins", "cluster-admin", "Group", group);
  }

  /**
   * Whom aggregated APIs take for a client, after a rotation. kube-apiserver only adds to this, so
   * a CA that is trusted no more would stay.
   */
  static HasMetadata clientAuthorities(String trusted) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName("extension-apiserver-authentication")
        .withNamespace("kube-system")
        .endMetadata()
        .addToData("client-ca-file", trusted)
        .build();
  }

  private static List<HasMetadata> access(Endpoint endpoint) {
    return List.of(
        // Whoever holds a bootstrap token may ask for a kubelet's client certificate …
        binding(
            "exaplane-node-bootstrapper",
            "system:node-bootstrapper",
            "Group",
            "system:bootstrappers"),
        // … which kube-controller-manager approves when it is a node's, …
        binding(
            "exaplane-node-autoapprove",
            "system:certificates.k8s.io:certificatesigningrequests:nodeclient",
            "Group",
            "system:bootstrappers"),
        // … and renews for that node.
        binding(
            "exaplane-node-autorenew",
            "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
            "Group",
            "system:nodes"),
        binding(
            "exaplane-kubelet-api-admin",
            "system:kubelet-api-admin",
            "User",
            "kube-apiserver-kubelet-client"),
        endpointSlice(endpoint),
        endpoints(endpoint));
  }

  /** What nodes and clients are to set themselves, for everybody who has an account to read. */
  private static List<HasMetadata> advice(Tuned tuned) {
    return List.of(
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(ADVICE)
            .withNamespace(PUBLIC)
            .addToLabels(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
            .endMetadata()
            .withData(TuningReport.forNodes(tuned))
            .build(),
        new RoleBuilder()
            .withNewMetadata()
            .withName(ADVICE)
            .withNamespace(PUBLIC)
            .addToLabels(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
            .endMetadata()
            .addNewRule()
            .withApiGroups("")
            .withResources("configmaps")
            .withResourceNames(ADVICE)
            .withVerbs("get")
            .endRule()
            .build(),
        new RoleBindingBuilder()
            .withNewMetadata()
            .withName(ADVICE)
            .withNamespace(PUBLIC)
            .addToLabels(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
            .endMetadata()
            .withNewRoleRef(RBAC, "Role", ADVICE)
            .addNewSubject(RBAC, "Group", "system:authenticated", null)
            .build());
  }

  private static HasMetadata flowControl(Map<?, ?> manifest) {
    Class<? extends HasMetadata> type =
        manifest.get("kind").equals("FlowSchema")
            ? FlowSchema.class
            : PriorityLevelConfiguration.class;
    return SERIALIZATION.convertValue(manifest, type);
  }

  private static ClusterRoleBinding binding(
      String name, String role, String subjectKind, String subject) {
    return new ClusterRoleBindingBuilder()
        .withNewMetadata()
        .withName(name)
        .addToLabels(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
        .endMetadata()
        .withNewRoleRef(RBAC, "ClusterRole", role)
        .withSubjects(
            new SubjectBuilder().withApiGroup(RBAC).withKind(subjectKind).withName(subject).build())
        .build();
  }

  private static HasMetadata endpointSlice(Endpoint endpoint) {
    return new EndpointSliceBuilder()
        .withNewMetadata()
        .withName(KUBERNETES)
        .withNamespace("default")
        .addToLabels("kubernetes.io/service-name", KUBERNETES)
        .addToLabels(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
        .endMetadata()
        .withAddressType(endpoint.host().contains(":") ? "IPv6" : "IPv4")
        .addNewEndpoint()
        .withAddresses(endpoint.host())
        .withNewConditions()
        .withReady(true)
        .endConditions()
        .endEndpoint()
        .addNewPort()
        .withName("https")
        .withPort(endpoint.port())
        .withProtocol("TCP")
        .endPort()
        .build();
  }

  /** The older form of the same, which some clients still read. */
  @SuppressWarnings("deprecation")
  private static HasMetadata endpoints(Endpoint endpoint) {
    return new EndpointsBuilder()
        .withNewMetadata()
        .withName(KUBERNETES)
        .withNamespace("default")
        .addToLabels("endpointslice.kubernetes.io/skip-mirror", "true")
        .addToLabels(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
        .endMetadata()
        .addNewSubset()
        .addNewAddress()
        .withIp(endpoint.host())
        .endAddress()
        .addNewPort()
        .withName("https")
        .withPort(endpoint.port())
        .withProtocol("TCP")
        .endPort()
        .endSubset()
        .build();
  }
}
