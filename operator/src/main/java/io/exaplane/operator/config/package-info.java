// SPDX-License-Identifier: Apache-2.0
/** Settings of the operator itself. */
package io.exaplane.operator.config;
