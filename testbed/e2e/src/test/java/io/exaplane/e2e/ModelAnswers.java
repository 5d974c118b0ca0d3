// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.TuningDocument;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.List;
import java.util.Map;

/**
 * All that the tuning model says about the control planes of these tests. It stands for the model's
 * rules in the keys of kept results: a change that answers the same here can't change what they
 * see.
 */
final class ModelAnswers {
  /** Each {@code maxNodes} that a control plane of these tests, or kwok's, has. */
  static final List<Integer> NODES = List.of(10, 100, 200, 2000, 5000, 20_000);

  private static final int MOST_REPLICAS = 3;

  private ModelAnswers() {}

  /** Prints one JSON document for each size of cluster and number of apiservers. */
  public static void main(String[] versions) throws JsonProcessingException {
    // Maps of the JDK have another order in each process.
    ObjectMapper json =
        new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);
    VersionMatrix matrix = VersionMatrix.load();
    for (String version : versions) {
      for (int nodes : NODES) {
        for (int replicas = 1; replicas <= MOST_REPLICAS; replicas++) {
          Shape shape =
              Shape.of(
                  Map.of(
                      Input.KUBERNETES_VERSION,
                      version,
                      Input.NODES,
                      Integer.toString(nodes),
                      Input.REPLICAS,
                      Integer.toString(replicas),
                      Input.LOAD_BALANCER_SECONDS,
                      "10",
                      Input.EXAPLANE_STORES,
                      "true"),
                  matrix);
          System.out.println(json.writeValueAsString(TuningDocument.of(Tuning.of(shape, matrix))));
        }
      }
    }
  }
}
