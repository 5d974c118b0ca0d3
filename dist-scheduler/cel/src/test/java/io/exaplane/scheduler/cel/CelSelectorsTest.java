// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.scheduler.engine.model.device.DeviceAttribute;
import io.exaplane.scheduler.engine.model.device.DeviceAttribute.Kind;
import io.exaplane.scheduler.engine.model.device.DeviceFacts;
import io.exaplane.scheduler.engine.model.device.SelectorException;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions as drivers' documentation has them. */
class CelSelectorsTest {
  private static final DeviceFacts GPU =
      new DeviceFacts(
          "gpu.example.com",
          true,
          Map.of(
              "model", new DeviceAttribute(Kind.TEXT, "A100"),
              "index", new DeviceAttribute(Kind.INTEGER, 3L),
              "ecc", new DeviceAttribute(Kind.BOOLEAN, true),
              "driverVersion", new DeviceAttribute(Kind.VERSION, "535.104.5"),
              "pci.example.org/root", new DeviceAttribute(Kind.TEXT, "pci0000:7f")),
          Map.of("memory", BigDecimal.valueOf(40L << 30)));

  private final CelSelectors compiler = new CelSelectors();

  private boolean matches(String expression) {
    return compiler.compile(expression).matches(GPU);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "true",
        "device.driver == 'gpu.example.com'",
        "device.allowMultipleAllocations",
        "device.attributes['gpu.example.com'].model == 'A100'",
        "device.attributes['gpu.example.com'].ecc",
        "device.attributes['gpu.example.com'].index > 2",
        "device.attributes['pci.example.org'].root.startsWith('pci0000')",
        "device.attributes['pci.example.org'].root.lowerAscii().matches('^pci[0-9]+:7f$')",
        "device.capacity['gpu.example.com'].memory.compareTo(quantity('40Gi')) >= 0",
        "device.capacity['gpu.example.com'].memory.isGreaterThan(quantity('10Gi'))",
        "device.capacity['gpu.example.com'].memory == quantity('40960Mi')",
        "device.attributes['gpu.example.com'].driverVersion.isGreaterThan(semver('535.0.0'))",
        "device.attributes['gpu.example.com'].driverVersion.compareTo(semver('v535.104.05', true)) == 0",
        "device.attributes['gpu.example.com'].driverVersion.major() == 535",
        "has(device.attributes['gpu.example.com'].model)",
        "!has(device.attributes['other.example.com'].model)",
        "'gpu.example.com' in device.attributes",
        "!('other.example.com' in device.attributes)",
        "!('none' in device.attributes['gpu.example.com'])",
        "device.attributes['other.example.com'].?model.orValue('none') == 'none'",
        "cel.bind(gpu, device.attributes['gpu.example.com'], gpu.ecc && gpu.index == 3)",
        "device.attributes['gpu.example.com'].model in ['A100', 'H100']",
        "['A100', 'H100'].exists(m, m == device.attributes['gpu.example.com'].model)",
        "sets.contains(['A100', 'H100'], [device.attributes['gpu.example.com'].model])",
        "device.attributes['gpu.example.com'].model.find('[0-9]+') == '100'",
        "device.attributes['gpu.example.com'].model != 3",
        "device.attributes['gpu.example.com'].driverVersion != '535.104.5'",
        "isQuantity('1Gi') && !isQuantity('much') && isSemver('1.2.3') && !isSemver('1.2')",
        "quantity('1Gi').add(quantity('1Gi')).sub(1).asInteger() == 2147483647",
      })
  void selects(String expression) {
    assertThat(matches(expression)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "device.attributes['gpu.example.com'].missing == 'x'",
        "device.attributes['other.example.com'].model == 'A100'",
        "device.attributes['gpu.example.com'].model",
        "device.attributes['gpu.example.com'].model.isGreaterThan(semver('1.0.0'))",
        "quantity('much').isInteger()",
        "device.attributes['gpu.example.com'].driverVersion == '535.104.5'",
      })
  void hasNoAnswer(String expression) {
    assertThatThrownBy(() -> matches(expression)).isInstanceOf(SelectorException.class);
  }

  @Test
  void attributesOfUnknownKindsHaveNoAnswer() {
    DeviceFacts odd =
        new DeviceFacts(
            "d", false, Map.of("list", new DeviceAttribute(Kind.UNKNOWN, null)), Map.of());
    assertThatThrownBy(() -> compiler.compile("true").matches(odd))
        .hasMessage("attribute list: unsupported attribute value");
  }

  @ParameterizedTest
  @ValueSource(strings = {"device.nothing", "1 + 1", "device.driver ==", "unheard(device.driver)"})
  void cannotBeCompiled(String expression) {
    assertThatThrownBy(() -> compiler.compile(expression)).isInstanceOf(SelectorException.class);
  }
}
