// SPDX-License-Identifier: Apache-2.0
/** Kubernetes' binary encoding of objects, read as a JSON parser would leave them. */
package io.exaplane.scheduler.engine.protobuf;
