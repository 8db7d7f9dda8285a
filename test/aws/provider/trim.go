package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/upbound/provider-aws/v2/config"
)

// trim forgets the kinds that the Terraform provider was built without: upjet refuses a table that names them.
func trim(ctx context.Context, framework provider.Provider, sdk *schema.Provider) {
	present := map[string]bool{}
	for name := range sdk.ResourcesMap {
		present[name] = true
	}
	keep(config.TerraformPluginSDKExternalNameConfigs, present)
	present = map[string]bool{}
	for _, make := range framework.Resources(ctx) {
		named := resource.MetadataResponse{}
		make().Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "aws"}, &named)
		present[named.TypeName] = true
	}
	keep(config.TerraformPluginFrameworkExternalNameConfigs, present)
	keep(config.CLIReconciledExternalNameConfigs, nil)
}

func keep[T any](table map[string]T, present map[string]bool) {
	for name := range table {
		if !present[name] {
			delete(table, name)
		}
	}
}
