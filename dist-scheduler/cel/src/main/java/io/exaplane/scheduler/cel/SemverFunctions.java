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

/** Functions of versions. Source: apiserver/pkg/cel/library/semverlib.go. */
final class SemverFunctions implements CelCompilerLibrary, CelRuntimeLibrary {
  static final CelType TYPE = OpaqueType.create("kubernetes.Semver");

  @Override
  public void setCheckerOptions(CelCheckerBuilder builder) {
    builder.addFunctionDeclarations(
        CelFunctionDecl.newFunctionDeclaration(
            "semver",
            CelOverloadDecl.newGlobalOverload("string_to_semver", TYPE, SimpleType.STRING),
            CelOverloadDecl.newGlobalOverload(
                "string_bool_to_semver", TYPE, SimpleType.STRING, SimpleType.BOOL)),
        CelFunctionDecl.newFunctionDeclaration(
            "isSemver",
            CelOverloadDecl.newGlobalOverload(
                "is_semver_string", SimpleType.BOOL, SimpleType.STRING),
            CelOverloadDecl.newGlobalOverload(
                "is_semver_string_bool", SimpleType.BOOL, SimpleType.STRING, SimpleType.BOOL)),
        number("major"),
        number("minor"),
        number("patch"));
  }

  private static CelFunctionDecl number(String name) {
    return CelFunctionDecl.newFunctionDeclaration(
        name, CelOverloadDecl.newMemberOverload("semver_" + name, SimpleType.INT, TYPE));
  }

  @Override
  public void setRuntimeOptions(CelRuntimeBuilder builder) {
    builder.addFunctionBindings(
        CelFunctionBinding.from("string_to_semver", String.class, Semver::parse),
        CelFunctionBinding.from(
            "string_bool_to_semver", String.class, Boolean.class, SemverFunctions::parse),
        CelFunctionBinding.from("is_semver_string", String.class, text -> isSemver(text, false)),
        CelFunctionBinding.from(
            "is_semver_string_bool", String.class, Boolean.class, SemverFunctions::isSemver),
        CelFunctionBinding.from("semver_major", Semver.class, s -> s.version().majorVersion()),
        CelFunctionBinding.from("semver_minor", Semver.class, s -> s.version().minorVersion()),
        CelFunctionBinding.from("semver_patch", Semver.class, s -> s.version().patchVersion()));
  }

  private static Semver parse(String text, boolean leniently) {
    return leniently ? Semver.parseLeniently(text) : Semver.parse(text);
  }

  private static boolean isSemver(String text, boolean leniently) {
    try {
      parse(text, leniently);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
