/** Go source that names the kinds of the cut-down provider: their controllers, and every type that these look up. */

export const MODULE = 'github.com/upbound/provider-aws/v2';

export interface ApiVersion {
  readonly group: string;
  readonly version: string;
}

export interface Contents {
  /** Folders of controllers: `ec2/instance`. */
  readonly controllers: readonly string[];
  /** Namespaced types, also those that kinds only refer to. */
  readonly types: readonly ApiVersion[];
  /** Versions of the family itself, such as those of ProviderConfig; for both scopes. */
  readonly family: { readonly namespaced: readonly string[]; readonly cluster: readonly string[] };
}

export function kindsGo({ controllers, types, family }: Contents): string {
  const setups = [...controllers, 'providerconfig'].map((path) => ({
    name: path.replaceAll('/', ''),
    path: `${MODULE}/internal/controller/namespaced/${path}`,
  }));
  const apis = [
    ...types.map(({ group, version }) => [`types${group}${version}`, `namespaced/${group}/${version}`] as const),
    ...family.namespaced.map((version) => [`namespaced${version}`, `namespaced/${version}`] as const),
    ...family.cluster.map((version) => [`cluster${version}`, `cluster/${version}`] as const),
  ];
  return `package main

import (
	tjcontroller "github.com/crossplane/upjet/v2/pkg/controller"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"

${apis.map(([name, path]) => `\t${name} "${MODULE}/apis/${path}"`).join('\n')}
${setups.map(({ name, path }) => `\tsetup${name} "${path}"`).join('\n')}
)

var addToSchemes = runtime.SchemeBuilder{
${apis.map(([name]) => `\t${name}.SchemeBuilder.AddToScheme,`).join('\n')}
}

func setupGated(mgr ctrl.Manager, o tjcontroller.Options) error {
	for _, setup := range []func(ctrl.Manager, tjcontroller.Options) error{
${setups.map(({ name }) => `\t\tsetup${name}.SetupGated,`).join('\n')}
	} {
		if err := setup(mgr, o); err != nil {
			return err
		}
	}
	return nil
}
`;
}
