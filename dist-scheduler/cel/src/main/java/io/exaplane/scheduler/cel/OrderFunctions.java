// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.cel;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;

/** Comparisons that quantities and versions have in common. */
final class OrderFunctions implements CelCompilerLibrary, CelRuntimeLibrary {
  @Override
  public void setCheckerOptions(CelCheckerBuilder builder) {
    builder.addFunctionDeclarations(
        comparison("isGreaterThan", "is_greater_than", SimpleType.BOOL),
        comparison("isLessThan", "is_less_than", SimpleType.BOOL),
        comparison("compareTo", "compare_to", SimpleType.INT));
  }

  private static CelFunctionDecl comparison(String name, String id, CelType result) {
    CelType quantity = QuantityFunctions.TYPE;
    CelType semver = SemverFunctions.TYPE;
    return CelFunctionDecl.newFunctionDeclaration(
        name,
        CelOverloadDecl.newMemberOverload("quantity_" + id, result, quantity, quantity),
        CelOverloadDecl.newMemberOverload("semver_" + id, result, semver, semver));
  }

  @Override
  public void setRuntimeOptions(CelRuntimeBuilder builder) {
    add("quantity_", Amount.class, builder);
    add("semver_", Semver.class, builder);
  }

  private static <T extends Comparable<T>> void add(
      String prefix, Class<T> type, CelRuntimeBuilder to) {
    to.addFunctionBindings(
        CelFunctionBinding.from(
            prefix + "is_greater_than", type, type, (a, b) -> a.compareTo(b) > 0),
        CelFunctionBinding.from(prefix + "is_less_than", type, type, (a, b) -> a.compareTo(b) < 0),
        CelFunctionBinding.from(
            prefix + "compare_to", type, type, (a, b) -> (long) Integer.signum(a.compareTo(b))));
  }
}
