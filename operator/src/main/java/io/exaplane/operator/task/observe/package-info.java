// SPDX-License-Identifier: Apache-2.0
/**
 * What a task is judged by: the objects of its control plane, and the stores and routes in force.
 */
package io.exaplane.operator.task.observe;
