// SPDX-License-Identifier: Apache-2.0
/** Runs a SchedulerPool: what it looks at, and the order in which things are done. */
package io.exaplane.operator.schedulerpool;
