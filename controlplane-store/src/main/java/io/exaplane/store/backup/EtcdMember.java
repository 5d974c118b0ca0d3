// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A member of an etcd's cluster, as etcd keeps it in JSON (server/storage/schema/membership.go).
 *
 * @param name empty if it never started
 * @param isLearner whether it only follows the others
 */
public record EtcdMember(long id, String name, boolean isLearner) {
  private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]*)\"");
  private static final Pattern LEARNER = Pattern.compile("\"isLearner\":true");
  private static final int HEXADECIMAL = 16;

  /**
   * Reads one.
   *
   * @throws NumberFormatException if the id is none
   */
  static EtcdMember of(String id, String json) {
    Matcher name = NAME.matcher(json);
    return new EtcdMember(
        Long.parseUnsignedLong(id, HEXADECIMAL),
        name.find() ? name.group(1) : "",
        LEARNER.matcher(json).find());
  }

  /** Whether a member decides alone. A folder that does not say its members is of an older etcd. */
  static boolean isAlone(long id, List<EtcdMember> members) {
    return members.isEmpty()
        || members.size() == 1 && members.getFirst().id() == id && !members.getFirst().isLearner();
  }

  @Override
  public String toString() {
    return name.isEmpty() ? Long.toHexString(id) : name;
  }
}
