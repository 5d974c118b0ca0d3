// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

/**
 * A flow schema that every kube-apiserver of a version makes: which level it leads to, and when.
 */
public record FlowSchema(String name, int precedence, String priorityLevel) {}
