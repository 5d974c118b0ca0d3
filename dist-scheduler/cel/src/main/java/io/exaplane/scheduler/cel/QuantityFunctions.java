// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.cel;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import io.exaplane.scheduler.engine.model.Quantity;
import java.math.BigDecimal;
import java.util.List;

/** Functions of quantities. Source: apiserver/pkg/cel/library/quantity.go. */
final class QuantityFunctions implements CelCompilerLibrary, CelRuntimeLibrary {
  static final CelType TYPE = OpaqueType.create("kubernetes.Quantity");

  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final BigDecimal MIN = BigDecimal.valueOf(Long.MIN_VALUE);

  @Override
  public void setCheckerOptions(CelCheckerBuilder builder) {
    builder.addFunctionDeclarations(declarations());
  }

  private static List<CelFunctionDecl> declarations() {
    return List.of(
        CelFunctionDecl.newFunctionDeclaration(
            "quantity",
            CelOverloadDecl.newGlobalOverload("string_to_quantity", TYPE, SimpleType.STRING)),
        CelFunctionDecl.newFunctionDeclaration(
            "isQuantity",
            CelOverloadDecl.newGlobalOverload(
                "is_quantity_string", SimpleType.BOOL, SimpleType.STRING)),
        CelFunctionDecl.newFunctionDeclaration(
            "sign", CelOverloadDecl.newGlobalOverload("quantity_sign", SimpleType.INT, TYPE)),
        member("asApproximateFloat", "quantity_get_float", SimpleType.DOUBLE, TYPE),
        member("asInteger", "quantity_get_int", SimpleType.INT, TYPE),
        member("isInteger", "quantity_is_integer", SimpleType.BOOL, TYPE),
        CelFunctionDecl.newFunctionDeclaration(
            "add",
            CelOverloadDecl.newMemberOverload("quantity_add", TYPE, TYPE, TYPE),
            CelOverloadDecl.newMemberOverload("quantity_add_int", TYPE, TYPE, SimpleType.INT)),
        CelFunctionDecl.newFunctionDeclaration(
            "sub",
            CelOverloadDecl.newMemberOverload("quantity_sub", TYPE, TYPE, TYPE),
            CelOverloadDecl.newMemberOverload("quantity_sub_int", TYPE, TYPE, SimpleType.INT)));
  }

  private static CelFunctionDecl member(
      String name, String id, CelType result, CelType... arguments) {
    return CelFunctionDecl.newFunctionDeclaration(
        name, CelOverloadDecl.newMemberOverload(id, result, arguments));
  }

  @Override
  public void setRuntimeOptions(CelRuntimeBuilder builder) {
    builder.addFunctionBindings(
        CelFunctionBinding.from("string_to_quantity", String.class, QuantityFunctions::parse),
        CelFunctionBinding.from("is_quantity_string", String.class, QuantityFunctions::isQuantity),
        CelFunctionBinding.from("quantity_sign", Amount.class, a -> (long) a.value().signum()),
        CelFunctionBinding.from("quantity_get_float", Amount.class, a -> a.value().doubleValue()),
        CelFunctionBinding.from("quantity_get_int", Amount.class, QuantityFunctions::integer),
        CelFunctionBinding.from("quantity_is_integer", Amount.class, QuantityFunctions::isInteger),
        CelFunctionBinding.from(
            "quantity_add",
            Amount.class,
            Amount.class,
            (a, b) -> new Amount(a.value().add(b.value()))),
        CelFunctionBinding.from(
            "quantity_add_int",
            Amount.class,
            Long.class,
            (a, b) -> new Amount(a.value().add(BigDecimal.valueOf(b)))),
        CelFunctionBinding.from(
            "quantity_sub",
            Amount.class,
            Amount.class,
            (a, b) -> new Amount(a.value().subtract(b.value()))),
        CelFunctionBinding.from(
            "quantity_sub_int",
            Amount.class,
            Long.class,
            (a, b) -> new Amount(a.value().subtract(BigDecimal.valueOf(b)))));
  }

  private static Amount parse(String text) {
    return new Amount(Quantity.parse(text));
  }

  private static boolean isQuantity(String text) {
    try {
      Quantity.parse(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isInteger(Amount amount) {
    BigDecimal value = amount.value();
    return value.stripTrailingZeros().scale() <= 0
        && value.compareTo(MAX) <= 0
        && value.compareTo(MIN) >= 0;
  }

  private static long integer(Amount amount) {
    if (!isInteger(amount)) {
      throw new IllegalArgumentException("cannot convert value to integer");
    }
    return amount.value().longValueExact();
  }
}
