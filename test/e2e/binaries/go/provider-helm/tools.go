//go:build tools

// Package tools pins provider-helm.
package tools

import _ "github.com/crossplane-contrib/provider-helm/cmd/provider"
