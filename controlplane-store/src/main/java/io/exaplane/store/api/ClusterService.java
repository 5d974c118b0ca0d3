// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.wire.GrpcMethod;
import io.exaplane.store.wire.GrpcServices;
import java.util.List;

/**
 * etcdserverpb.Cluster of one member, and etcdserverpb.Auth that is not enabled; calls of any
 * service that change members or users are refused with the reason.
 */
final class ClusterService {
  private static final List<String> NO_USERS =
      List.of(
          "Auth/AuthEnable",
          "Auth/AuthDisable",
          "Auth/UserAdd",
          "Auth/UserGet",
          "Auth/UserList",
          "Auth/UserDelete",
          "Auth/UserChangePassword",
          "Auth/UserGrantRole",
          "Auth/UserRevokeRole",
          "Auth/RoleAdd",
          "Auth/RoleGet",
          "Auth/RoleList",
          "Auth/RoleDelete",
          "Auth/RoleGrantPermission",
          "Auth/RoleRevokePermission");

  private static final List<String> ONE_MEMBER =
      List.of(
          "Cluster/MemberAdd",
          "Cluster/MemberRemove",
          "Cluster/MemberUpdate",
          "Cluster/MemberPromote",
          "Maintenance/MoveLeader",
          "Maintenance/Downgrade");

  private static final List<String> NO_ELECTIONS =
      List.of("Campaign", "Proclaim", "Leader", "Observe", "Resign");

  /** etcd counts changes of users and roles from 1 on. */
  private static final long NO_CHANGES_OF_USERS = 1;

  private final StoreWriter writer;
  private final Identity identity;

  ClusterService(StoreWriter writer, Identity identity) {
    this.writer = writer;
    this.identity = identity;
  }

  void register(GrpcServices<Lane> services) {
    Writes.unary(services, "/etcdserverpb.Cluster/MemberList", writer, this::memberList);
    Writes.unary(
        services,
        "/etcdserverpb.Auth/AuthStatus",
        writer,
        (applier, in, out) -> {
          out.number(3, NO_CHANGES_OF_USERS);
          applier.codec().header(out, applier.keyspace().revision());
        });
    services.add(
        "/etcdserverpb.Auth/Authenticate",
        GrpcMethod.unary(
            (stream, lane, array, offset, length) -> stream.fail(StoreException.AUTH_NOT_ENABLED)));
    NO_USERS.forEach(path -> refuse(services, path, StoreException.NO_USERS));
    ONE_MEMBER.forEach(path -> refuse(services, path, StoreException.ONE_MEMBER));
    NO_ELECTIONS.forEach(
        method ->
            services.add(
                "/v3electionpb.Election/" + method,
                GrpcMethod.unary(
                    (stream, lane, array, offset, length) ->
                        stream.fail(StoreException.NO_ELECTIONS))));
  }

  private static void refuse(GrpcServices<Lane> services, String path, StoreException why) {
    services.add(
        "/etcdserverpb." + path,
        GrpcMethod.unary((stream, lane, array, offset, length) -> stream.fail(why)));
  }

  private void memberList(Applier applier, ProtoReader in, ReverseWriter out) {
    int mark = out.length();
    for (String url : identity.clientUrls().reversed()) {
      out.text(4, url);
    }
    out.text(2, identity.name());
    out.number(1, identity.memberId());
    out.message(2, mark);
    applier.codec().header(out, applier.keyspace().revision());
  }
}
