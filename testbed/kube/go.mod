// The root of this folder's commands. It requires nothing itself: each build names the requirements of one version with
// -modfile=mods/<name>.mod, which mods/generate writes.
module exaplane.io/testbed/kube

go 1.26.0
