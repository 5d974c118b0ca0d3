// SPDX-License-Identifier: Apache-2.0
/** What becomes of each write: who refused which object, why, and what to do about it. */
package io.exaplane.operator.outcome;
