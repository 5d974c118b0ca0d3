// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

import io.exaplane.apply.manifest.Gvk;
import java.util.Set;

/**
 * A kind as the server serves it. Immutable.
 *
 * @param gvk kind and version
 * @param plural the name in URLs, such as {@code configmaps}
 * @param namespaced whether its objects live in namespaces
 * @param verbs what the server lets clients do, such as {@code patch} and {@code watch}
 */
public record ResourceType(Gvk gvk, String plural, boolean namespaced, Set<String> verbs) {}
