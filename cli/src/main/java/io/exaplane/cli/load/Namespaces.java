// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import io.exaplane.cli.measure.MeasurementException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Namespaces of a load's own. */
final class Namespaces {
  private Namespaces() {}

  /**
   * Creates them.
   *
   * @return their names
   * @throws MeasurementException if one exists or cannot be created
   */
  static List<String> create(Run run, String load, int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = Labels.name(run.id(), i);
      byte[] body =
          NodeBody.json(
              Map.of(
                  "apiVersion",
                  "v1",
                  "kind",
                  "Namespace",
                  "metadata",
                  Map.of("name", name, "labels", Labels.of(load, run.id()))));
      run.must(
          Call.create(Resource.NAMESPACES.plural(), Resource.NAMESPACES.all(), Call.JSON, body));
      names.add(name);
    }
    return names;
  }
}
