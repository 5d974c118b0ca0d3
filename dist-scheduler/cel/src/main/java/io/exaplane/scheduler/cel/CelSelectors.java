// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelOptionalLibrary;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelRuntimeLibrary;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import io.exaplane.scheduler.engine.model.device.DeviceAttribute;
import io.exaplane.scheduler.engine.model.device.DeviceFacts;
import io.exaplane.scheduler.engine.model.device.DeviceSelector;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import io.exaplane.scheduler.engine.model.device.SelectorException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Selectors of devices in CEL, with what Kubernetes adds to it: optional values, bindings, strings,
 * sets, lists, comprehensions with two variables, quantities, versions and find. Source:
 * dynamic-resource-allocation/cel/compile.go, apiserver/pkg/cel/environment/base.go. For one
 * thread.
 */
public final class CelSelectors implements SelectorCompiler {
  private static final String DEVICE = "device";
  private static final int MOST_ITERATIONS = 1_000_000;
  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .enableOptionalSyntax(true)
          .enableTimestampEpoch(true)
          .comprehensionMaxIterations(MOST_ITERATIONS)
          .build();

  /** Each is for the compiler and for the runtime. */
  private static final List<Object> LIBRARIES =
      List.of(
          CelOptionalLibrary.INSTANCE,
          CelExtensions.strings(),
          CelExtensions.sets(OPTIONS),
          CelExtensions.lists(),
          CelExtensions.comprehensions(),
          new QuantityFunctions(),
          new SemverFunctions(),
          new OrderFunctions(),
          new RegexFunctions());

  private static final RuntimeEquality EQUALITY =
      RuntimeEquality.create(RuntimeHelpers.create(), OPTIONS);

  private CelCompiler compiler;
  private CelRuntime runtime;

  /** Takes a few tenths of a second, which is for those who have expressions. */
  private void begin() {
    compiler =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addVar(DEVICE, deviceType())
            .setTypeProvider(new DeviceTypes(deviceType()))
            .addLibraries(CelExtensions.bindings())
            .addLibraries(LIBRARIES.stream().map(CelCompilerLibrary.class::cast).toList())
            .build();
    runtime =
        CelRuntimeFactory.standardCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .setStandardEnvironmentEnabled(false)
            .setStandardFunctions(
                CelStandardFunctions.newBuilder()
                    .filterFunctions(
                        (function, overload) ->
                            function != StandardFunction.EQUALS
                                && !overload.toString().equals("IN_MAP"))
                    .build())
            .addFunctionBindings(
                CelFunctionBinding.from("in_map", Object.class, Map.class, CelSelectors::isIn),
                CelFunctionBinding.from(
                    "equals", Object.class, Object.class, CelSelectors::areEqual))
            .addLibraries(LIBRARIES.stream().map(CelRuntimeLibrary.class::cast).toList())
            .build();
  }

  private static CelType deviceType() {
    MapType attributes =
        MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, SimpleType.DYN));
    MapType capacity =
        MapType.create(
            SimpleType.STRING, MapType.create(SimpleType.STRING, QuantityFunctions.TYPE));
    Map<String, CelType> fields =
        Map.of(
            "driver",
            SimpleType.STRING,
            "allowMultipleAllocations",
            SimpleType.BOOL,
            "attributes",
            attributes,
            "capacity",
            capacity);
    return DeviceTypes.struct(fields);
  }

  /**
   * As in cel-go, where quantities and versions are compared with their own kind alone. Source:
   * apiserver/pkg/cel/quantity.go, semver.go.
   */
  private static boolean areEqual(Object left, Object right) {
    boolean own = left instanceof Amount || left instanceof Semver;
    if (own && left.getClass() != right.getClass()) {
      throw new IllegalArgumentException("no such overload");
    }
    return EQUALITY.objectEquals(left, right);
  }

  /** A domain that is empty can be looked up, but is not in the map. */
  private static boolean isIn(Object key, Map<?, ?> map) {
    return map instanceof Domains domains ? domains.has(key) : map.containsKey(key);
  }

  @Override
  public DeviceSelector compile(String expression) {
    if (compiler == null) {
      begin();
    }
    try {
      CelAbstractSyntaxTree tree = compiler.compile(expression).getAst();
      CelKind kind = tree.getResultType().kind();
      if (kind != CelKind.BOOL && kind != CelKind.DYN && kind != CelKind.ANY) {
        throw new SelectorException("must be true or false, not " + tree.getResultType().name());
      }
      CelRuntime.Program program = runtime.createProgram(tree);
      return device -> matches(program, device);
    } catch (CelValidationException | CelEvaluationException e) {
      throw new SelectorException(e.getMessage().strip());
    }
  }

  private static boolean matches(CelRuntime.Program program, DeviceFacts device) {
    Object result;
    try {
      result = program.eval(Map.of(DEVICE, variables(device)));
    } catch (CelEvaluationException e) {
      throw new SelectorException(e.getMessage());
    }
    if (result instanceof Boolean matches) {
      return matches;
    }
    throw new SelectorException("the result is neither true nor false: " + result);
  }

  private static Map<String, Object> variables(DeviceFacts device) {
    Domains attributes = new Domains();
    device
        .attributes()
        .forEach((name, value) -> attributes.add(name, device.driver(), value(name, value)));
    Domains capacity = new Domains();
    for (Map.Entry<String, BigDecimal> one : device.capacity().entrySet()) {
      capacity.add(one.getKey(), device.driver(), new Amount(one.getValue()));
    }
    Map<String, Object> variables = new HashMap<>();
    variables.put("driver", device.driver());
    variables.put("allowMultipleAllocations", device.allowMultipleAllocations());
    variables.put("attributes", attributes);
    variables.put("capacity", capacity);
    return variables;
  }

  private static Object value(String name, DeviceAttribute attribute) {
    return switch (attribute.kind()) {
      case TEXT, INTEGER, BOOLEAN -> attribute.value();
      case VERSION -> version(name, (String) attribute.value());
      case UNKNOWN ->
          throw new SelectorException("attribute %s: unsupported attribute value".formatted(name));
    };
  }

  private static Semver version(String name, String text) {
    try {
      return Semver.parse(text);
    } catch (IllegalArgumentException e) {
      throw new SelectorException(
          "attribute %s: parse semantic version: %s".formatted(name, e.getMessage()));
    }
  }
}
