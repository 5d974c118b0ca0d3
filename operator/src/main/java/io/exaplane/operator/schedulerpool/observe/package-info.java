// SPDX-License-Identifier: Apache-2.0
/**
 * What is there of a SchedulerPool, and what follows for the next step. The rules that the schema
 * can't see are asked here.
 */
package io.exaplane.operator.schedulerpool.observe;
