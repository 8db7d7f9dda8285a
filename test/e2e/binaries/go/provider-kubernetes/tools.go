//go:build tools

// Package tools pins the provider that applies Objects.
package tools

import _ "github.com/crossplane-contrib/provider-kubernetes/cmd/provider"
