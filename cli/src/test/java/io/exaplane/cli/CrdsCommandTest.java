// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CrdsCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void printsAsManyAsAskedEachWithItsOwnNameSpreadOverTheGroups() throws Exception {
    assertThat(run("--count=7", "--groups=3", "--properties=5")).isZero();
    Set<String> names = new HashSet<>();
    Set<String> groups = new HashSet<>();
    for (JsonNode one : documents()) {
      names.add(one.at("/metadata/name").asText());
      groups.add(one.at("/spec/group").asText());
      assertThat(one.at("/metadata/name").asText())
          .isEqualTo(one.at("/spec/names/plural").asText() + "." + one.at("/spec/group").asText());
      assertThat(one.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties"))
          .hasSize(5);
    }
    assertThat(names).hasSize(7);
    assertThat(groups).hasSize(3);
  }

  @Test
  void goesOnBehindOthers() throws Exception {
    run("--count=2");
    run("--count=2", "--first=2");
    assertThat(documents())
        .extracting(one -> one.at("/spec/group").asText())
        .doesNotHaveDuplicates();
  }

  @Test
  void badInputIsRefusedByName() {
    assertThat(run("--count=0")).isEqualTo(2);
    assertThat(err.toString()).contains("count: '0' must lie between 1 and 20000");
    assertThat(run("--properties=x")).isEqualTo(2);
  }

  private List<JsonNode> documents() throws Exception {
    YAMLMapper mapper = new YAMLMapper();
    return mapper
        .readValues(mapper.getFactory().createParser(out.toString()), JsonNode.class)
        .readAll()
        .stream()
        .map(JsonNode.class::cast)
        .toList();
  }

  private int run(String... arguments) {
    CommandLine commandLine = Exactl.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    String[] all = new String[arguments.length + 2];
    all[0] = "crds";
    all[1] = "generate";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return commandLine.execute(all);
  }
}
