//go:build tools

// Package tools pins the etcd that the tests and the benchmarks run against: hack/get-etcd builds it from here.
package tools

import _ "go.etcd.io/etcd/server/v3"
