module exaplane.io/benchmarks/peers/appliers

go 1.26.0
