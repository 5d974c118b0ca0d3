// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

/** Functions whose last bit has to be that of Go on amd64, because scores are rounded. */
final class GoMath {
  private static final double LN2_HIGH = 6.93147180369123816490e-01;
  private static final double LN2_LOW = 1.90821492927058770002e-10;
  private static final double[] EVEN = {
    3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01
  };
  private static final double[] ODD = {
    6.666666666666735130e-01,
    2.857142874366239149e-01,
    1.818357216161805012e-01,
    1.479819860511658591e-01
  };

  private GoMath() {}

  /**
   * The natural logarithm of a positive number by the method of FreeBSD's msun (e_log.c), which Go
   * follows: neither Math.log nor StrictMath.log gives the same bits for all whole numbers.
   */
  static double log(double x) {
    int k = Math.getExponent(x) + 1;
    double fraction = Math.scalb(x, -k);
    if (fraction < Math.sqrt(2) / 2) {
      fraction *= 2;
      k--;
    }
    double f = fraction - 1;
    double s = f / (2 + f);
    double s2 = s * s;
    double s4 = s2 * s2;
    double odd = s2 * (ODD[0] + s4 * (ODD[1] + s4 * (ODD[2] + s4 * ODD[3])));
    double even = s4 * (EVEN[0] + s4 * (EVEN[1] + s4 * EVEN[2]));
    double half = 0.5 * f * f;
    return k * LN2_HIGH - ((half - (s * (half + (odd + even)) + k * LN2_LOW)) - f);
  }
}
