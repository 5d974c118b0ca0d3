// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;

/**
 * What is known of a control plane. Longer than others: a record has all its fields, and one method
 * to replace each of those that are found apart from the rest.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ControlPlaneStatus(
    @JsonPropertyDescription("Generation of the spec that this status describes.")
        Long observedGeneration,
    @JsonPropertyDescription("Kubernetes versions that run, and that the operator goes to.")
        Versions version,
    @JsonPropertyDescription("Address of the API.") Endpoint endpoint,
    @JsonPropertyDescription("The addresses of the API's Service.") ServiceAddresses service,
    @JsonPropertyDescription(
            "Secret that holds the administrator's kubeconfig, in the key kubeconfig.")
        LocalRef kubeconfigSecretRef,
    @JsonPropertyDescription("The pods of the kube-apiservers, counted.") ApiServers apiServer,
    @JsonPropertyDescription("The pods of the kube-controller-managers, counted.")
        Replicas controllerManager,
    @JsonPropertyDescription(
            "The pods of the kube-schedulers, counted; absent while a SchedulerPool places"
                + " all pods.")
        Replicas scheduler,
    @JsonPropertyDescription("The stores of the control plane, counted and listed.") Stores stores,
    @JsonPropertyDescription("The CAs and the leaf certificates.") Pki pki,
    @JsonPropertyDescription("The size that the components are sized for.") Sizing sizing,
    @Size(max = 63)
        @JsonPropertyDescription(
            "The bundle of flags, images and templates that the pods are made of.")
        String bundle,
    @JsonPropertyDescription("Conditions, each with a reason, a message and the next action.")
        List<Condition> conditions,
    @JsonProperty("certificates")
        @JsonPropertyDescription(
            "The CAs and the leaf certificates as an earlier operator wrote them. The operator"
                + " reads them once, and writes them as pki.certificates.")
        List<Certificate> formerCertificates,
    @JsonPropertyDescription("Restarts of the components.") RestartStatus restart,
    @JsonPropertyDescription("Decisions of the meltdown guard.") GuardStatus guard,
    @JsonPropertyDescription("The rollout that is under way; absent between rollouts.")
        RolloutStatus rollout,
    @JsonPropertyDescription(
            "The place among all control planes that change their pods; absent while this one"
                + " changes none.")
        RolloutTurn turn,
    @JsonPropertyDescription(
            "Resources that kube-apiserver reaches through a separate Service each, since a task"
                + " moved them or is about to. The operator keeps each address.")
        List<Route> routes,
    @JsonPropertyDescription("The nodes of all NodePools together; absent without a NodePool.")
        NodeTotals nodes,
    @JsonPropertyDescription(
            "CustomResourceDefinitions of the hosted cluster, and their cost; absent until a"
                + " kube-apiserver tells them.")
        DefinitionsStatus definitions,
    @Size(max = 64)
        @JsonPropertyDescription(
            "Each source of spec.addons, and sources that were removed from it and still have"
                + " objects in the hosted cluster. Absent without add-ons.")
        List<AddonStatus> addons) {

  /** What this operator writes. */
  public ControlPlaneStatus(
      Long observedGeneration,
      Versions version,
      Endpoint endpoint,
      ServiceAddresses service,
      LocalRef kubeconfigSecretRef,
      ApiServers apiServer,
      Replicas controllerManager,
      Replicas scheduler,
      Stores stores,
      List<Certificate> certificates,
      Sizing sizing,
      String bundle,
      List<Condition> conditions) {
    this(
        observedGeneration,
        version,
        endpoint,
        service,
        kubeconfigSecretRef,
        apiServer,
        controllerManager,
        scheduler,
        stores,
        certificates == null ? null : new Pki(certificates),
        sizing,
        bundle,
        conditions,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** The same with what is known of restarts; null for nothing. */
  public ControlPlaneStatus withRestart(RestartStatus known) {
    return new ControlPlaneStatus(
        observedGeneration,
        version,
        endpoint,
        service,
        kubeconfigSecretRef,
        apiServer,
        controllerManager,
        scheduler,
        stores,
        pki,
        sizing,
        bundle,
        conditions,
        formerCertificates,
        known,
        guard,
        rollout,
        turn,
        routes,
        nodes,
        definitions,
        addons);
  }

  /** The same with what the meltdown guard decided; null for nothing. */
  public ControlPlaneStatus withGuard(GuardStatus known) {
    return new ControlPlaneStatus(
        observedGeneration,
        version,
        endpoint,
        service,
        kubeconfigSecretRef,
        apiServer,
        controllerManager,
        scheduler,
        stores,
        pki,
        sizing,
        bundle,
        conditions,
        formerCertificates,
        restart,
        known,
        rollout,
        turn,
        routes,
        nodes,
        definitions,
        addons);
  }

  /** The same with a rollout that is under way; null for none. */
  public ControlPlaneStatus withRollout(RolloutStatus known) {
    return new ControlPlaneStatus(
        observedGeneration,
        version,
        endpoint,
        service,
        kubeconfigSecretRef,
        apiServer,
        controllerManager,
        scheduler,
        stores,
        pki,
        sizing,
        bundle,
        conditions,
        formerCertificates,
        restart,
        guard,
        known,
        turn,
        routes,
        nodes,
        definitions,
        addons);
  }

  /** The same with a place among those that roll; null for none. */
  public ControlPlaneStatus withTurn(RolloutTurn known) {
    return new ControlPlaneStatus(
        observedGeneration,
        version,
        endpoint,
        service,
        kubeconfigSecretRef,
        apiServer,
        controllerManager,
        scheduler,
        stores,
        pki,
        sizing,
        bundle,
        conditions,
        formerCertificates,
        restart,
        guard,
        rollout,
        known,
        routes,
        nodes,
        definitions,
        addons);
  }

  /** The same with resources that have a Service of their own; null for none. */
  public ControlPlaneStatus withRoutes(List<Route> known) {
    return new ControlPlaneStatus(
        observedGeneration,
        version,
        endpoint,
        service,
        kubeconfigSecretRef,
        apiServer,
        controllerManager,
        scheduler,
        stores,
        pki,
        sizing,
        bundle,
        conditions,
        formerCertificates,
        restart,
        guard,
        rollout,
        turn,
        known,
        nodes,
        definitions,
        addons);
  }

  /** The same with the nodes of all pools; null without a pool. */
  public ControlPlaneStatus withNodes(NodeTotals known) {
    return new ControlPlaneStatus(
        observedGeneration,
        version,
        endpoint,
        service,
        kubeconfigSecretRef,
        apiServer,
        controllerManager,
        scheduler,
        stores,
        pki,
        sizing,
        bundle,
        conditions,
        formerCertificates,
        restart,
        guard,
        rollout,
        turn,
        routes,
        known,
        definitions,
        addons);
  }

  /** The same with the definitions of the hosted cluster; null before they are known. */
  public ControlPlaneStatus withDefinitions(DefinitionsStatus known) {
    return new ControlPlaneStatus(
        observedGeneration,
        version,
        endpoint,
        service,
        kubeconfigSecretRef,
        apiServer,
        controllerManager,
        scheduler,
        stores,
        pki,
        sizing,
        bundle,
        conditions,
        formerCertificates,
        restart,
        guard,
        rollout,
        turn,
        routes,
        nodes,
        known,
        addons);
  }

  /** The same with the sources of add-ons; null for none. */
  public ControlPlaneStatus withAddons(List<AddonStatus> known) {
    return new ControlPlaneStatus(
        observedGeneration,
        version,
        endpoint,
        service,
        kubeconfigSecretRef,
        apiServer,
        controllerManager,
        scheduler,
        stores,
        pki,
        sizing,
        bundle,
        conditions,
        formerCertificates,
        restart,
        guard,
        rollout,
        turn,
        routes,
        nodes,
        definitions,
        known);
  }

  /** The same with what is known of rotations; null for nothing. */
  public ControlPlaneStatus withRotation(RotationStatus known) {
    return new ControlPlaneStatus(
        observedGeneration,
        version,
        endpoint,
        service,
        kubeconfigSecretRef,
        apiServer,
        controllerManager,
        scheduler,
        stores,
        pki == null && known == null ? null : new Pki(certificates(), known),
        sizing,
        bundle,
        conditions,
        formerCertificates,
        restart,
        guard,
        rollout,
        turn,
        routes,
        nodes,
        definitions,
        addons);
  }

  /** What is known of rotations; null for nothing. */
  public RotationStatus rotation() {
    return pki == null ? null : pki.rotation();
  }

  /** The certificates, whoever wrote them; null before there are any. */
  public List<Certificate> certificates() {
    return pki == null ? formerCertificates : pki.certificates();
  }

  /** Certificates. 'kubectl describe' sorts fields by name, and conditions are to come before. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Pki(
      @JsonPropertyDescription("The CAs and the leaf certificates.") List<Certificate> certificates,
      @JsonPropertyDescription("Rotations of long-lived keys.") RotationStatus rotation) {
    Pki(List<Certificate> certificates) {
      this(certificates, null);
    }
  }

  /** The size that the components are made for. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Sizing(
      @JsonPropertyDescription("Number of nodes that the components are sized for.")
          Integer maxNodes,
      @JsonPropertyDescription(
              "Number of nodes that the components will be sized for, unless spec.maxNodes changes "
                  + "again.")
          Integer pendingMaxNodes,
      @JsonPropertyDescription("RFC 3339 time of that change.") String changesAt,
      @JsonPropertyDescription("ConfigMap with every tuned value and its reason.")
          LocalRef configMapRef) {}

  /** Versions of the control plane. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Versions(
      @JsonPropertyDescription("Version in the spec.") String desired,
      @Size(max = 16)
          @JsonPropertyDescription(
              "Version that all components run; empty until all run the same version.")
          String current,
      @Size(max = 16)
          @JsonPropertyDescription("Newest version that the apiservers were started with.")
          String applied) {}

  /** Address of the API. */
  public record Endpoint(
      @JsonPropertyDescription("IP address that clients connect to.") String host,
      @JsonPropertyDescription("TCP port that clients connect to.") Integer port) {}

  /** Replicas of a component. */
  public record Replicas(
      @JsonPropertyDescription("Number of replicas that exist now.") Integer replicas,
      @JsonPropertyDescription("Replicas that are ready.") Integer ready,
      @JsonPropertyDescription("Replicas of the newest template.") Integer updated,
      @JsonPropertyDescription("Ready and desired, for example 2/2.") String summary) {}

  /** Replicas of kube-apiserver, with what the scale subresource needs. */
  public record ApiServers(
      @StatusReplicas @JsonPropertyDescription("Number of replicas that exist now.")
          Integer replicas,
      @JsonPropertyDescription("Replicas that are ready.") Integer ready,
      @JsonPropertyDescription("Replicas of the newest template.") Integer updated,
      @JsonPropertyDescription("Ready and desired, for example 2/2.") String summary,
      @LabelSelector @JsonPropertyDescription("Label selector of the pods.") String selector) {}

  /** All stores. */
  public record Stores(
      @JsonPropertyDescription("Ready and all, for example 2/2.") String summary,
      @Size(max = 8) @JsonPropertyDescription("Each store, by name, with its state and use.")
          List<Store> items) {}

  /** One store. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Store(
      @Size(max = 20) @JsonPropertyDescription("Name within the control plane.") String name,
      @JsonPropertyDescription("Name of the StoreShard.") String shard,
      @JsonPropertyDescription(
              "How much the control plane depends on the store. Critical: the API does not"
                  + " work without it. BestEffort: the API continues without it.")
          Criticality criticality,
      @JsonPropertyDescription("Whether the store serves.") Boolean ready,
      @JsonPropertyDescription("Identity of the store's data.") String dataId,
      @Size(max = 20)
          @JsonPropertyDescription(
              "The resources in this store; absent for the store that holds all other resources.")
          List<ResourceRef> resources) {}

  /** A resource that kube-apiserver reaches through a Service of its own. */
  public record Route(
      @JsonPropertyDescription("The resource, by API group and plural name.") ResourceRef resource,
      @JsonPropertyDescription("Name of the store that the Service leads to.") String store,
      @JsonPropertyDescription(
              "Address of the Service, in the form of kube-apiserver's --etcd-servers-overrides.")
          String address) {}

  /** One certificate. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Certificate(
      @Required @JsonPropertyDescription("Purpose of the certificate.") String name,
      @JsonPropertyDescription("Secret that holds the certificate.") String secret,
      @JsonPropertyDescription("RFC 3339 time at which the certificate expires.") String notAfter,
      @JsonPropertyDescription(
              "RFC 3339 time after which the operator renews the certificate; absent for a CA.")
          String renewAfter,
      @JsonPropertyDescription("SHA-256 of the certificate, in hex.") String sha256,
      @JsonPropertyDescription(
              "RFC 3339 time at which the operator issued the certificate; absent for a CA.")
          String issuedAt) {

    /** Of a CA or a key. */
    public Certificate(
        String name, String secret, String notAfter, String renewAfter, String sha256) {
      this(name, secret, notAfter, renewAfter, sha256, null);
    }
  }
}
