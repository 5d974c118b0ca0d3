// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

import java.math.BigDecimal;
import java.util.Map;

/**
 * What selectors see of a device; many devices have the same.
 *
 * @param driver is the domain of names without one
 * @param attributes by name, with a domain or without
 * @param capacity by name, with a domain or without
 */
public record DeviceFacts(
    String driver,
    boolean allowMultipleAllocations,
    Map<String, DeviceAttribute> attributes,
    Map<String, BigDecimal> capacity) {}
