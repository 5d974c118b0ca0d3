// SPDX-License-Identifier: Apache-2.0
/** What a test needs of the operator's runs, which are the operator's own. */
package io.exaplane.operator.move;
