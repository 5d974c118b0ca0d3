// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.Objects;

/**
 * Lets changes through that people make: of the spec, of annotations, and removal. A status is
 * written by the operator itself, and is no reason to look again. The SDK's own filter knows only
 * the spec. Stateless.
 */
public class UserChange implements OnUpdateFilter<HasMetadata> {
  @Override
  public boolean accept(HasMetadata now, HasMetadata before) {
    ObjectMeta one = before.getMetadata();
    ObjectMeta other = now.getMetadata();
    return !Objects.equals(one.getGeneration(), other.getGeneration())
        || !Objects.equals(one.getAnnotations(), other.getAnnotations())
        || !Objects.equals(one.getFinalizers(), other.getFinalizers())
        || !Objects.equals(one.getDeletionTimestamp(), other.getDeletionTimestamp());
  }
}
