// SPDX-License-Identifier: Apache-2.0
/**
 * What is rendered by which bundle of the operator: a new operator changes nothing by itself, and
 * what the user changes meanwhile is carried out on what is there. Knows no kind.
 */
package io.exaplane.operator.bundle;
