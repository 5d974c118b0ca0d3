// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import java.util.ArrayList;
import java.util.List;

/** What Kubernetes adds for regular expressions. Source: apiserver/pkg/cel/library/regex.go. */
final class RegexFunctions implements CelCompilerLibrary, CelRuntimeLibrary {
  private static final long ALL = -1;

  @Override
  public void setCheckerOptions(CelCheckerBuilder builder) {
    ListType strings = ListType.create(SimpleType.STRING);
    builder.addFunctionDeclarations(
        CelFunctionDecl.newFunctionDeclaration(
            "find",
            CelOverloadDecl.newMemberOverload(
                "string_find_string", SimpleType.STRING, SimpleType.STRING, SimpleType.STRING)),
        CelFunctionDecl.newFunctionDeclaration(
            "findAll",
            CelOverloadDecl.newMemberOverload(
                "string_find_all_string", strings, SimpleType.STRING, SimpleType.STRING),
            CelOverloadDecl.newMemberOverload(
                "string_find_all_string_int",
                strings,
                SimpleType.STRING,
                SimpleType.STRING,
                SimpleType.INT)));
  }

  @Override
  public void setRuntimeOptions(CelRuntimeBuilder builder) {
    builder.addFunctionBindings(
        CelFunctionBinding.from(
            "string_find_string", String.class, String.class, RegexFunctions::find),
        CelFunctionBinding.from(
            "string_find_all_string",
            String.class,
            String.class,
            (text, regex) -> findAll(text, regex, ALL)),
        CelFunctionBinding.from(
            "string_find_all_string_int",
            List.of(String.class, String.class, Long.class),
            args -> findAll((String) args[0], (String) args[1], (Long) args[2])));
  }

  private static String find(String text, String regex) {
    Matcher matcher = Pattern.compile(regex).matcher(text);
    return matcher.find() ? matcher.group() : "";
  }

  private static List<String> findAll(String text, String regex, long most) {
    List<String> found = new ArrayList<>();
    Matcher matcher = Pattern.compile(regex).matcher(text);
    while ((most < 0 || found.size() < most) && matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }
}
