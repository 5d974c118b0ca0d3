// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.standby;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.api.reconciler.dependent.managed.ManagedWorkflowAndDependentResourceContext;
import io.javaoperatorsdk.operator.processing.event.EventSourceRetriever;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The context of a rehearsal: what informers hold, and nothing by which one could write. Used by
 * one thread.
 *
 * @param <P> the kind
 */
final class RehearsalContext<P extends HasMetadata> implements Context<P> {
  private final P primary;
  private final Held<P> held;
  private final ControllerConfiguration<P> configuration;
  private final NoClient noClient;
  private final HandOver handOver = new HandOver();

  /**
   * What informers and probes hold.
   *
   * @param <P> the kind
   */
  interface Held<P extends HasMetadata> {
    /** The objects of a type that belong to one of the kind. */
    <R> Stream<R> of(Class<R> type, P primary);
  }

  /** For one rehearsal. A real client does not fit in here. */
  RehearsalContext(
      P primary, Held<P> held, ControllerConfiguration<P> configuration, NoClient noClient) {
    this.primary = primary;
    this.held = held;
    this.configuration = configuration;
    this.noClient = noClient;
  }

  @Override
  public <R> Set<R> getSecondaryResources(Class<R> type) {
    return getSecondaryResourcesAsStream(type).collect(Collectors.toSet());
  }

  @Override
  public <R> Stream<R> getSecondaryResourcesAsStream(Class<R> type) {
    return held.of(type, primary);
  }

  /** Of all event sources: only dependents ask one by its name. */
  @Override
  public <R> Optional<R> getSecondaryResource(Class<R> type, String source) {
    return held.of(type, primary).findFirst();
  }

  @Override
  public ControllerConfiguration<P> getControllerConfiguration() {
    return configuration;
  }

  @Override
  public ManagedWorkflowAndDependentResourceContext managedWorkflowAndDependentResourceContext() {
    return handOver;
  }

  @Override
  public KubernetesClient getClient() {
    return noClient.asClient();
  }

  @Override
  public P getPrimaryResource() {
    return primary;
  }

  @Override
  public Optional<RetryInfo> getRetryInfo() {
    return Optional.empty();
  }

  @Override
  public boolean isNextReconciliationImminent() {
    return false;
  }

  @Override
  public boolean isPrimaryResourceDeleted() {
    return false;
  }

  @Override
  public boolean isPrimaryResourceFinalStateUnknown() {
    return false;
  }

  @Override
  public EventSourceRetriever<P> eventSourceRetriever() {
    throw unavailable("event source");
  }

  @Override
  public ExecutorService getWorkflowExecutorService() {
    throw unavailable("workflow");
  }

  @Override
  public IndexedResourceCache<P> getPrimaryCache() {
    throw unavailable("cache of other objects");
  }

  static UnsupportedOperationException unavailable(String what) {
    return new UnsupportedOperationException("a rehearsal has no " + what);
  }
}
