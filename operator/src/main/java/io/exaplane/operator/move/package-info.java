// SPDX-License-Identifier: Apache-2.0
/** Moving a Kind from one store to another: what the steps of a task ask of routes and stores. */
package io.exaplane.operator.move;
