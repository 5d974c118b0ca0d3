module exaplane.io/testbed/words

go 1.26.0
