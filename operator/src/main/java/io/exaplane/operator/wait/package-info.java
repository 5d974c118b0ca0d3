// SPDX-License-Identifier: Apache-2.0
/** The program that gates the start of a component's pod; it depends on the JDK alone. */
package io.exaplane.operator.wait;
