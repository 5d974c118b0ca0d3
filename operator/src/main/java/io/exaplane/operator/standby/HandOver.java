// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.standby;

import io.javaoperatorsdk.operator.api.reconciler.dependent.managed.ManagedWorkflowAndDependentResourceContext;
import io.javaoperatorsdk.operator.processing.dependent.workflow.WorkflowCleanupResult;
import io.javaoperatorsdk.operator.processing.dependent.workflow.WorkflowReconcileResult;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What parts of a rehearsal hand over to each other. It runs no workflow. Used by one thread. */
final class HandOver implements ManagedWorkflowAndDependentResourceContext {
  private final Map<Object, Object> shared = new HashMap<>();

  @Override
  public <T> Optional<T> get(Object key, Class<T> type) {
    return Optional.ofNullable(shared.get(key)).filter(type::isInstance).map(type::cast);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <T> T put(Object key, T value) {
    return (T) (value == null ? shared.remove(key) : shared.put(key, value));
  }

  @Override
  public <T> T getMandatory(Object key, Class<T> type) {
    return get(key, type)
        .orElseThrow(() -> new IllegalStateException("nothing handed over a " + type.getName()));
  }

  @Override
  public Optional<WorkflowReconcileResult> getWorkflowReconcileResult() {
    return Optional.empty();
  }

  @Override
  public Optional<WorkflowCleanupResult> getWorkflowCleanupResult() {
    return Optional.empty();
  }

  @Override
  public WorkflowReconcileResult reconcileManagedWorkflow() {
    throw RehearsalContext.unavailable("workflow");
  }

  @Override
  public WorkflowCleanupResult cleanupManageWorkflow() {
    throw RehearsalContext.unavailable("workflow");
  }
}
