// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.engine;

import java.util.List;

/**
 * A queue after one step of a script: pods by uid.
 *
 * @param popped the pod whose turn it was, if that was asked, with its group
 * @param backoff those that wait a while, after a refusal or an error
 * @param afterGroup those that come while it is decided about their group
 * @param withoutGroup those whose group nobody knows
 */
record QueueState(
    String script,
    int step,
    String popped,
    List<String> active,
    List<String> backoff,
    List<String> unschedulable,
    List<String> inFlight,
    List<String> afterGroup,
    List<String> withoutGroup) {}
