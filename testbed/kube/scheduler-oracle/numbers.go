package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"
	"math"
)

// digest is what a series of numbers comes to; the engine's tests make the same one.
type digest struct{ hash.Hash }

func newDigest() digest { return digest{sha256.New()} }

func (d digest) add(number uint64) {
	var bytes [8]byte
	binary.BigEndian.PutUint64(bytes[:], number)
	d.Write(bytes[:])
}

// numbers prints digests of what Go makes of the formulas whose last bits matter, over the range in which they are used.
func numbers(out io.Writer) {
	logarithms := newDigest()
	for n := 0; n <= 2_000_000; n++ {
		logarithms.add(math.Float64bits(math.Log(float64(n + 2))))
	}
	fmt.Fprintf(out, "logarithms %x\n", logarithms.Sum(nil))
	rounding := newDigest()
	for size := 0; size < 3000; size += 7 {
		weight := math.Log(float64(size + 2))
		for count := 0; count < 300; count += 3 {
			for skew := 1; skew <= 5; skew++ {
				var score float64
				score += float64(count)*weight + float64(skew-1)
				score += float64(count/2)*math.Log(5) + float64(skew-1)
				rounding.add(uint64(int64(math.Round(score))))
			}
		}
	}
	fmt.Fprintf(out, "rounding %x\n", rounding.Sum(nil))
	evenness := newDigest()
	for cpu := int64(1); cpu < 200; cpu += 3 {
		for usedCPU := int64(0); usedCPU <= cpu+5; usedCPU += 2 {
			for memory := int64(1); memory < 1<<34; memory = memory*3 + 7 {
				for usedMemory := int64(0); usedMemory <= memory; usedMemory += memory/7 + 1 {
					requested := []int64{usedCPU, usedMemory, (usedCPU * 13) % 17}
					allocatable := []int64{cpu, memory, 17}
					evenness.add(uint64(balanced(requested[:2], allocatable)))
					evenness.add(uint64(balanced(requested, allocatable)))
				}
			}
		}
	}
	fmt.Fprintf(out, "evenness %x\n", evenness.Sum(nil))
}

// balanced is the formula of NodeResourcesBalancedAllocation, which kube-scheduler does not export.
func balanced(requested, allocatable []int64) int64 {
	fractions := make([]float64, len(requested))
	var total, deviation float64
	for i := range requested {
		fractions[i] = min(1, float64(requested[i])/float64(allocatable[i]))
		total += fractions[i]
	}
	if len(fractions) == 2 {
		deviation = math.Abs((fractions[0] - fractions[1]) / 2)
	} else {
		mean := total / float64(len(fractions))
		var squares float64
		for _, fraction := range fractions {
			squares += (fraction - mean) * (fraction - mean)
		}
		deviation = math.Sqrt(squares / float64(len(fractions)))
	}
	return int64((1 - deviation) * 100)
}
