// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import io.exaplane.tuning.version.Component;

/**
 * What a rule looked at and left at the version's default: not said, but a component that has
 * something else differs from the advice.
 */
public record Kept(
    Component component, Item.Type kind, String name, String defaultValue, String reason) {}
