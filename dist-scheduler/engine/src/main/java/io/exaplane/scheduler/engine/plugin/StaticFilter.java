// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

/** A filter that depends on nothing but the node, and refuses it whoever goes, with one reason. */
abstract class StaticFilter extends Filter {
  private final Status refusal;

  StaticFilter(String plugin, String reason) {
    super(plugin);
    refusal = Status.unresolvable(plugin, reason);
  }

  abstract boolean passes(int node);

  @Override
  public final long test(int node) {
    return passes(node) ? PASSES : 1;
  }

  @Override
  public final Status explain(long verdict) {
    return refusal;
  }

  @Override
  public final Scope scope() {
    return Scope.NODE;
  }
}
