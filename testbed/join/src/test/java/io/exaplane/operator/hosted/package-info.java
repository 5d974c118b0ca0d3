// SPDX-License-Identifier: Apache-2.0
/** Tests' way to the operator's classes in this package. */
package io.exaplane.operator.hosted;
