// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import java.util.Map;

/**
 * What can't be met, or will hurt.
 *
 * @param name stable, for scripts
 * @param next what to do
 */
public record Warning(
    String name, String message, Map<String, String> inputs, String source, String next) {}
