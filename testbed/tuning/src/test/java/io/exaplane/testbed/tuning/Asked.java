// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.TuningDocument;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Input;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * All that these tests ask the tuning model. The answers stand for the model's rules in the keys of
 * kept results: a change that answers the same here can't change what the tests see. So {@link
 * Clusters#tuning} refuses a question that is not in this list.
 */
final class Asked {
  static final long[] SIZES = {
    100, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 65_537, 100_000, 200_000, 500_000, 1_000_000
  };

  static final Map<Input, String> NOTHING_MORE = Map.of();
  static final Map<Input, String> NAMED_CLIENTS =
      Map.of(
          Input.AGENTS, "monitoring/telemetry",
          Input.HEAVY_LISTERS, "tools/inventory",
          Input.BREAK_GLASS_GROUP, "sre");
  static final Map<Input, String> FAST_NETWORK = Map.of(Input.CLIENT_BANDWIDTH, "100");
  static final Map<Input, String> MANY_DEFINITIONS =
      Map.of(Input.CUSTOM_RESOURCE_DEFINITIONS, "2000");
  static final Map<Input, String> SMALL_API_SERVER =
      Map.of(Input.APISERVER_CPUS, "2", Input.APISERVER_MEMORY, "8Gi");
  static final Map<Input, String> TWO_RANGES = Map.of(Input.POD_CIDRS, "fd00:1::/48,10.0.0.0/8");

  /** Of a cluster with nothing but what {@link ListStorm} puts there: no agents, no definitions. */
  static final Map<Input, String> STORM =
      Map.of(
          Input.PODS_PER_NODE, "15",
          Input.SERVICES, "4000",
          Input.REPLICAS, "2",
          Input.EXAPLANE_STORES, "true",
          Input.WATCHES_PER_NODE, "0",
          Input.KUBE_PROXY, "false",
          Input.CUSTOM_RESOURCE_DEFINITIONS, "0");

  /** Bytes of the store that the default tier loads. */
  static final double LOADED_BYTES = 64 * Bytes.MIB;

  private record Question(long nodes, Map<Input, String> more) {}

  private static final List<Question> QUESTIONS =
      Stream.concat(
              LongStream.of(SIZES)
                  .boxed()
                  .flatMap(
                      nodes ->
                          Stream.of(
                              new Question(nodes, NOTHING_MORE),
                              new Question(nodes, NAMED_CLIENTS))),
              Stream.of(
                  new Question(100, FAST_NETWORK),
                  new Question(100, MANY_DEFINITIONS),
                  new Question(5_000, SMALL_API_SERVER),
                  new Question(1_000, STORM),
                  new Question(60_000, TWO_RANGES)))
          .toList();

  private Asked() {}

  /**
   * @throws IllegalArgumentException if the list lacks the question
   */
  static void check(long nodes, Map<Input, String> more) {
    if (!QUESTIONS.contains(new Question(nodes, more))) {
      throw new IllegalArgumentException(
          "Asked.QUESTIONS lacks %d nodes with %s: add the question".formatted(nodes, more));
    }
  }

  /** Prints one JSON document for each question. */
  public static void main(String[] none) throws JsonProcessingException {
    // Maps of the JDK have another order in each process.
    ObjectMapper json =
        new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);
    List<Tuning> answers = new ArrayList<>();
    QUESTIONS.forEach(asked -> answers.add(Clusters.tuning(asked.nodes(), asked.more())));
    answers.add(ColdStart.tuning(100, LOADED_BYTES));
    for (Tuning answer : answers) {
      System.out.println(json.writeValueAsString(TuningDocument.of(answer)));
    }
  }
}
