// SPDX-License-Identifier: Apache-2.0
/**
 * How the operator asks endpoints, again and again, without keeping anybody waiting: bounded in
 * time and bytes, and telling little of the answer.
 */
package io.exaplane.operator.probe;
