// SPDX-License-Identifier: Apache-2.0
/** Tasks: things that are done to a control plane once. */
package io.exaplane.operator.task;
