// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Why a restored store may have less than its users expect: only a person can accept that. */
public enum EtcdDoubt {
  /** Of several members, each may lack what the others have. */
  ONE_MEMBER,
  /** Members did not agree on the data. */
  CORRUPT_ALARM,
  /** The API of version 2 has no place in this store. */
  V2_KEYS;

  private static final String CORRUPT = "CORRUPT";

  /**
   * Of a folder or a backup.
   *
   * @return for each doubt, what there is, and what to do first
   */
  public static Map<EtcdDoubt, String> of(EtcdFolder folder, EtcdContents contents) {
    Map<EtcdDoubt, String> doubts = new EnumMap<>(EtcdDoubt.class);
    if (folder.memberId() != 0) {
      member(folder.memberId(), contents.members())
          .ifPresent(words -> doubts.put(ONE_MEMBER, words));
    }
    if (contents.alarms().contains(CORRUPT)) {
      doubts.put(
          CORRUPT_ALARM,
          "etcd raised the alarm CORRUPT: members do not have the same data. Find the right member with 'etcdutl hashkv', and take a backup of that member");
    }
    if (folder.keysOfVersion2() > 0) {
      doubts.put(
          V2_KEYS,
          "%d keys or writes of etcd's API of version 2 are in the log and its snapshots, and this store has no such API. Copy these keys into keys of version 3 with etcd's own tools"
              .formatted(folder.keysOfVersion2()));
    }
    return doubts;
  }

  private static Optional<String> member(long id, List<EtcdMember> members) {
    if (EtcdMember.isAlone(id, members)) {
      return Optional.empty();
    }
    Optional<EtcdMember> own = members.stream().filter(member -> member.id() == id).findFirst();
    String names = members.stream().map(EtcdMember::toString).collect(Collectors.joining(", "));
    String who =
        own.map(member -> (member.isLearner() ? "the learner " : "the member ") + member)
            .orElse("a member that was removed, %x,".formatted(id));
    return Optional.of(
        "the folder belongs to %s of a cluster with %d (%s), and may lack data that other members have. Take a backup of the cluster with 'etcdctl snapshot save'"
            .formatted(who, members.size(), names));
  }

  /** As the flag has it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
