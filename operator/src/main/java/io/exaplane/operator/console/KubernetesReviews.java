// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks by TokenReview and SubjectAccessReview. Thread-safe. */
final class KubernetesReviews implements Reviews {
  private final KubernetesClient client;

  KubernetesReviews(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public Optional<Viewer> who(String token) {
    TokenReview asked = new TokenReviewBuilder().withNewSpec().withToken(token).endSpec().build();
    try {
      TokenReview answer = client.resource(asked).create();
      return answer.getStatus() != null
              && Boolean.TRUE.equals(answer.getStatus().getAuthenticated())
          ? Optional.of(viewer(answer.getStatus().getUser()))
          : Optional.empty();
    } catch (KubernetesClientException e) {
      throw new Unreachable(e);
    }
  }

  private static Viewer viewer(UserInfo user) {
    return new Viewer(
        user.getUsername(),
        user.getUid() == null ? "" : user.getUid(),
        user.getGroups() == null ? List.of() : user.getGroups(),
        user.getExtra() == null ? Map.of() : user.getExtra());
  }

  @Override
  public boolean may(Viewer viewer, Right right) {
    SubjectAccessReview asked =
        new SubjectAccessReviewBuilder()
            .withNewSpec()
            .withUser(viewer.name())
            .withUid(viewer.uid())
            .withGroups(viewer.groups())
            .withExtra(viewer.extra())
            .withNewResourceAttributes()
            .withVerb(right.verb())
            .withGroup(right.group())
            .withResource(right.resource())
            .withNamespace(right.namespace())
            .withName(right.name())
            .endResourceAttributes()
            .endSpec()
            .build();
    try {
      SubjectAccessReview answer = client.resource(asked).create();
      return answer.getStatus() != null && Boolean.TRUE.equals(answer.getStatus().getAllowed());
    } catch (KubernetesClientException e) {
      throw new Unreachable(e);
    }
  }
}
