import { expect, test } from 'vitest';
import { kindsGo } from './kinds-go.ts';
import { mainGo } from './main-go.ts';

const MAIN = `import (
	namespacedapis "x/apis/namespaced"
	clustercontroller "x/controller/cluster"
)
	kingpin.FatalIfError(err, "Cannot get the Terraform framework and SDK providers")
	kingpin.FatalIfError(clustercontroller.SetupGated_monolith(mgr, o), "no")
	kingpin.FatalIfError(namespacedcontroller.SetupGated_monolith(mgr, o), "yes")
`;

test('main sets up the chosen kinds, and forgets what Terraform no longer has', () => {
  expect(mainGo(MAIN)).toBe(`import (
)
	kingpin.FatalIfError(err, "Cannot get the Terraform framework and SDK providers")
	trim(ctx, fwProvider, sdkProvider)
	kingpin.FatalIfError(setupGated(mgr, o), "yes")
`);
});

test('a main of another shape is told', () => {
  expect(() => mainGo('package main')).toThrow('has no "Cannot get');
  expect(() => mainGo(`${MAIN}	x := namespacedapis.Other\n`)).toThrow('still has "namespacedapis."');
});

test('each kind has its controller, and each type its name', () => {
  const text = kindsGo({
    controllers: ['ec2/vpc'],
    types: [{ group: 'kms', version: 'v1beta1' }],
    family: { namespaced: ['v1beta1'], cluster: ['v1alpha1'] },
  });
  expect(text).toContain('setupec2vpc.SetupGated,');
  expect(text).toContain('setupproviderconfig.SetupGated,');
  expect(text).toContain('typeskmsv1beta1 "github.com/upbound/provider-aws/v2/apis/namespaced/kms/v1beta1"');
  expect(text).toContain('clusterv1alpha1.SchemeBuilder.AddToScheme,');
});
