// SPDX-License-Identifier: Apache-2.0
/**
 * One class for the condition of a ControlPlaneTask, and what the condition says: why a task waits
 * or cannot begin, and how far it is. Pure.
 */
package io.exaplane.operator.task.condition;
