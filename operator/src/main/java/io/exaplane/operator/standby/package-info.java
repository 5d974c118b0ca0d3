// SPDX-License-Identifier: Apache-2.0
/** What a standby does to be fast when it leads: it rehearses passes, and writes nothing. */
package io.exaplane.operator.standby;
