// SPDX-License-Identifier: Apache-2.0
/** Asks what no API server tells, again and again, without keeping anybody waiting. */
package io.exaplane.operator.probe;
