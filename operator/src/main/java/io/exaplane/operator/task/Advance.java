// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.TaskMove;
import io.exaplane.operator.task.condition.Progress;
import java.util.List;

/**
 * What a task that moves resources has to tell after a look. Immutable.
 *
 * @param moves as the status is to show them
 */
record Advance(Progress progress, List<TaskMove> moves) {}
