// SPDX-License-Identifier: Apache-2.0
/** Networks of the management cluster, from which those of hosted clusters stay away. */
package io.exaplane.operator.management;
