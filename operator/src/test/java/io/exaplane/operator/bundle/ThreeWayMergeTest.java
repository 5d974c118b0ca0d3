// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A user's change is carried out on what an older bundle rendered, and nothing else of it. */
class ThreeWayMergeTest {
  private static final JsonMapper JSON = new JsonMapper();

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing was changed        | {'a':1}            | {'a':2}        | {'a':2}            | {'a':1}",
        "a field                    | {'a':1,'b':1}      | {'a':2,'b':1}  | {'a':2,'b':3}      | {'a':1,'b':3}",
        "the user wins              | {'a':1}            | {'a':2}        | {'a':3}            | {'a':3}",
        "a field that is new        | {'a':1}            | {'a':2}        | {'a':2,'b':{'c':1}} | {'a':1,'b':{'c':1}}",
        "a field that went          | {'a':1,'b':1}      | {'b':1,'a':2}  | {'a':2}            | {'a':1}",
        "one that only pinned has   | {'a':1,'b':1}      | {'c':1}        | {'c':2}            | {'a':1,'b':1,'c':2}",
        "one that pinned lacks      | {'a':1}            | {'a':1,'b':1}  | {'a':2,'b':1}      | {'a':2}",
        "an object that went        | {'a':{'x':1,'y':1}} | {'a':{'x':1}} | {}                 | {'a':{'y':1}}",
        "flags                      | ['k','--a=1','--b=1'] | ['k','--a=2','--b=1'] | ['k','--a=2','--b=2'] | ['k','--a=1','--b=2']",
        "a flag that is new         | ['k','--a=1','--z=1'] | ['k','--a=2'] | ['k','--a=2','--b=1'] | ['k','--a=1','--b=1','--z=1']",
        "a flag that went           | ['--a=1','--b=1','--c=1'] | ['--a=1','--b=1'] | ['--b=1'] | ['--b=1','--c=1']",
        "a flag that pinned lacks   | ['--a=1']          | ['--a=1','--b=1'] | ['--a=2','--b=1'] | ['--a=2']",
        "a flag of a prefix         | ['--p=/x/=1'] | ['--p=/l/=m','--p=/x/=1'] | ['--p=/l/=m','--p=/x/=2'] | ['--p=/x/=2']",
        "a prefix that is new       | ['--p=/x/=1'] | ['--p=/l/=m','--p=/x/=1'] | ['--p=/l/=m','--p=/x/=1','--p=/y/=2'] | ['--p=/x/=1','--p=/y/=2']",
        "a prefix that went         | ['--p=/x/=1','--p=/y/=2'] | ['--p=/l/=m','--p=/x/=1','--p=/y/=2'] | ['--p=/l/=m','--p=/y/=2'] | ['--p=/y/=2']",
        "an element by its name     | [{'name':'x','v':1}] | [{'name':'x','v':1,'w':1}] | [{'name':'x','v':2,'w':1}] | [{'name':'x','v':2}]",
        "an element that is new     | [{'name':'x','v':1}] | [{'name':'x','v':2}] | [{'name':'y'},{'name':'x','v':2}] | [{'name':'y'},{'name':'x','v':1}]",
        "lists without keys         | [{'a':1}]          | [{'a':2}]      | [{'a':3}]          | [{'a':3}]",
        "a list that is new         | {'a':1}            | {'a':2}        | {'a':2,'l':['x']}  | {'a':1,'l':['x']}",
        "a list that went           | {'a':1,'l':['x']}  | {'a':2,'l':['x']} | {'a':2}         | {'a':1}",
        "a list of other kinds      | {'l':['x','old']}  | {'l':['x']}    | {}                 | {'l':['old']}",
      })
  void merges(String what, String pinned, String before, String now, String expected)
      throws JsonProcessingException {
    assertEquals(tree(expected), ThreeWayMerge.merge(tree(pinned), tree(before), tree(now)), what);
  }

  @RepeatedTest(200)
  void keepsItsLaws(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    JsonNode one = random(random, 3);
    JsonNode other = random(random, 3);
    assertEquals(one, ThreeWayMerge.merge(one, other, other), "no change");
    assertEquals(other, ThreeWayMerge.merge(one, one, other), "nothing is pinned");
  }

  /** Bundle and user change different fields of one tree: both changes are there afterwards. */
  @RepeatedTest(200)
  void changesOfDifferentPlacesCommute(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    ObjectNode before = (ObjectNode) object(random, 3);
    ObjectNode pinned = before.deepCopy();
    ObjectNode now = before.deepCopy();
    ObjectNode both = before.deepCopy();
    for (String field : new TreeSet<>(before.properties().stream().map(e -> e.getKey()).toList())) {
      JsonNode value = random(random, 2);
      boolean removes = random.nextInt(4) == 0;
      switch (random.nextInt(3)) {
        case 0 -> change(field, value, removes, pinned, both);
        case 1 -> change(field, value, removes, now, both);
        default -> {}
      }
    }
    assertEquals(both, ThreeWayMerge.merge(pinned, before, now));
  }

  private static void change(String field, JsonNode value, boolean removes, ObjectNode... trees) {
    for (ObjectNode tree : trees) {
      if (removes) {
        tree.remove(field);
      } else {
        tree.set(field, value);
      }
    }
  }

  private static JsonNode random(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 2 : 4)) {
      case 0 -> JSON.getNodeFactory().numberNode(random.nextInt(5));
      case 1 -> JSON.getNodeFactory().textNode("t" + random.nextInt(5));
      case 2 -> object(random, depth);
      default -> list(random, depth);
    };
  }

  private static JsonNode object(Random random, int depth) {
    ObjectNode object = JSON.createObjectNode();
    for (int i = random.nextInt(6) + 1; i > 0; i--) {
      object.set("f" + random.nextInt(8), random(random, depth - 1));
    }
    return object;
  }

  private static JsonNode list(Random random, int depth) {
    ArrayNode list = JSON.createArrayNode();
    boolean named = random.nextBoolean();
    for (int i = random.nextInt(5); i > 0; i--) {
      if (named) {
        list.addObject().put("name", "n" + i).set("value", random(random, depth - 1));
      } else {
        list.add("--flag" + i + "=" + random.nextInt(3));
      }
    }
    return list;
  }

  private static JsonNode tree(String text) throws JsonProcessingException {
    return JSON.readTree(text.replace('\'', '"'));
  }
}
