// Chart prints the manifests of Crossplane's own Helm chart, as "helm template" does: chart FOLDER NAMESPACE.
package main

import (
	"fmt"
	"os"
	"sort"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: chart FOLDER NAMESPACE")
		os.Exit(2)
	}
	if err := render(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintf(os.Stderr, "cannot render chart %q: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

func render(folder, namespace string) error {
	chart, err := loader.Load(folder)
	if err != nil {
		return err
	}
	release := chartutil.ReleaseOptions{Name: "crossplane", Namespace: namespace, Revision: 1, IsInstall: true}
	values, err := chartutil.ToRenderValues(chart, nil, release, nil)
	if err != nil {
		return err
	}
	files, err := engine.Render(chart, values)
	if err != nil {
		return err
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if len(name) > 5 && name[len(name)-5:] == ".yaml" {
			fmt.Printf("---\n%s\n", files[name])
		}
	}
	return nil
}
