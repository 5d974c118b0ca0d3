// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Chance, by a seed. */
public final class Dice {
  private final SplittableRandom random;

  public Dice(long seed) {
    random = new SplittableRandom(seed);
  }

  public boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** A number from 0 to below n. */
  public int below(int n) {
    return random.nextInt(n);
  }

  public int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  @SafeVarargs
  public final <T> T one(T... of) {
    return of[random.nextInt(of.length)];
  }

  public <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** Up to so many different ones of these. */
  List<String> some(int most, List<String> of) {
    List<String> left = new ArrayList<>(of);
    List<String> result = new ArrayList<>();
    for (int n = random.nextInt(most + 1); n > 0 && !left.isEmpty(); n--) {
      result.add(left.remove(random.nextInt(left.size())));
    }
    return result;
  }

  /** An object of a document: keys and values in turn; those without a value are left out. */
  public static Map<String, Object> map(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i + 1] != null) {
        map.put((String) pairs[i], pairs[i + 1]);
      }
    }
    return map;
  }
}
