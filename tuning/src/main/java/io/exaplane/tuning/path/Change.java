// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.path;

import java.util.List;

/**
 * One change of a set.
 *
 * @param input the model's input that says it, as kube-proxy
 * @param from value before
 * @param to value after, as the input takes it
 * @param action what people do
 * @param gains limits that the cluster exceeded just before, the worst first, and that the change
 *     relieves
 */
public record Change(String input, String from, String to, String action, List<Gain> gains) {}
