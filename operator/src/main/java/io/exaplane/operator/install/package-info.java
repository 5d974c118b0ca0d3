// SPDX-License-Identifier: Apache-2.0
/** Objects of the management cluster that every way of installing the operator has. */
package io.exaplane.operator.install;
