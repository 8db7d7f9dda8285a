//go:build tools

// Package tools pins the earlier Crossplane core that the lab can run.
package tools

import _ "github.com/crossplane/crossplane/v2/cmd/crossplane"
