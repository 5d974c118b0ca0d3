// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import io.exaplane.scheduler.engine.model.device.DeviceAttribute;
import io.exaplane.scheduler.engine.model.device.DeviceFacts;
import io.exaplane.scheduler.engine.model.device.DeviceSelector;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import io.exaplane.scheduler.engine.model.device.SelectorException;
import java.math.BigDecimal;
import java.util.Map;

/**
 * The expressions of made-up clusters, in Java: the engine is tested without CEL; beside the real
 * kube-scheduler, with it.
 */
public final class KnownSelectors implements SelectorCompiler {
  static final String GPU = "gpu.example.org";
  static final String NIC = "nic.example.org";
  static final String IS_GPU = "device.driver == '" + GPU + "'";
  static final String IS_NIC = "device.driver == '" + NIC + "'";

  /** It has no answer for devices without a model. */
  static final String IS_MODEL_A = "device.attributes['" + GPU + "'].model == 'A'";

  static final String MAY_BE_MODEL_A =
      "has(device.attributes['%s'].model) && device.attributes['%s'].model == 'A'"
          .formatted(GPU, GPU);
  static final String NOT_FIRST = "device.attributes['" + GPU + "'].?index.orValue(0) > 0";
  static final String IS_LARGE =
      "'%s' in device.capacity && device.capacity['%s'].memory.compareTo(quantity('20Gi')) >= 0"
          .formatted(GPU, GPU);
  static final String IS_NEW =
      "has(device.attributes['%s'].version) && device.attributes['%s'].version.isGreaterThan(semver('1.2.0'))"
          .formatted(GPU, GPU);
  static final String NOBODY = "false";

  private static final BigDecimal LARGE = BigDecimal.valueOf(20L << 30);

  private final Map<String, DeviceSelector> known =
      Map.of(
          IS_GPU, device -> device.driver().equals(GPU),
          IS_NIC, device -> device.driver().equals(NIC),
          IS_MODEL_A, device -> value(device, "model").equals("A"),
          MAY_BE_MODEL_A, device -> has(device, "model") && value(device, "model").equals("A"),
          NOT_FIRST, device -> has(device, "index") && (Long) value(device, "index") > 0,
          IS_LARGE, KnownSelectors::isLarge,
          IS_NEW, device -> has(device, "version") && isNew((String) value(device, "version")),
          NOBODY, device -> false);

  @Override
  public DeviceSelector compile(String expression) {
    if (!known.containsKey(expression)) {
      throw new SelectorException("not known to these tests");
    }
    return known.get(expression);
  }

  private static boolean has(DeviceFacts device, String attribute) {
    return device.driver().equals(GPU) && device.attributes().containsKey(attribute);
  }

  private static Object value(DeviceFacts device, String attribute) {
    DeviceAttribute value = has(device, attribute) ? device.attributes().get(attribute) : null;
    if (value == null) {
      throw new SelectorException("no such key: " + attribute);
    }
    return value.value();
  }

  private static boolean isLarge(DeviceFacts device) {
    boolean any = device.driver().equals(GPU) && !device.capacity().isEmpty();
    return any && device.capacity().get("memory").compareTo(LARGE) >= 0;
  }

  /** Versions of made-up devices are 1.x.0. */
  private static boolean isNew(String version) {
    return Integer.parseInt(version.split("\\.")[1]) > 2;
  }
}
