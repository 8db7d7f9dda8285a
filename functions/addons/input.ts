/** Input of the add-ons step: what every cluster of a Composition gets, and what its claims may choose. */
import { z } from 'zod';
import { addOnFields, chartName, chartRepository, chartVersion } from '#lib/api/fields/addons.ts';
import { saidTwice, twice } from '#lib/api/schema/once.ts';
import { anyObject, keyedBy, withRule } from '#lib/api/schema/rules.ts';
import { PARTS } from '#lib/cloud/traits.ts';
import { inputFields, inputName } from '#lib/fn/input.ts';
import { ANY } from '#lib/cloud/limits.ts';

const values = () =>
  anyObject()
    .prefault({})
    .describe(
      'Values of the chart. $(field) in a text is replaced with that field of the Cluster, below metadata.name, spec.network, status.infrastructure and status.controlPlaneEndpoint; $(bootstrap.controlPlaneNodes) alone is a nodeSelector for control planes.',
    );

const minor = () =>
  z.string().regex(/^1\.[0-9]+$/, { error: 'is not a minor version of Kubernetes; accepted: one such as "1.35"' });

const Version = z.strictObject({
  kubernetes: z.array(minor()).min(1).max(16).describe('Minor versions of Kubernetes, such as "1.35".'),
  version: chartVersion(),
  values: values().describe('Values that only this version has; top-level keys replace those of the default.'),
});

const minorsOf = (list: readonly z.output<typeof Version>[]) => list.flatMap(({ kubernetes }) => kubernetes);

const Default = z.strictObject({
  ...addOnFields,
  brings: z
    .enum(PARTS)
    .optional()
    .describe(
      'The part of a cluster that it brings. It is not installed where the bootstrap provider brings this part already.',
    ),
  chart: z
    .strictObject({ repository: chartRepository(), name: chartName(), values: values() })
    .describe('The Helm chart.'),
  versions: withRule(z.array(Version).min(1).max(16), {
    cel: 'self.all(one, one.kubernetes.all(minor, self.filter(other, minor in other.kubernetes).size() == 1))',
    holds: (list) => twice(minorsOf(list)) === undefined,
    message: 'must have each minor version of Kubernetes once',
    explain: (list) => ({ field: [], message: saidTwice('minor version of Kubernetes', twice(minorsOf(list))) }),
  }).describe('Version of the chart by minor version of Kubernetes.'),
});

export const AddOnsInput = z.strictObject({
  ...inputFields('AddOnsInput'),
  defaults: keyedBy(z.array(Default).max(32), 'name')
    .prefault([])
    .describe(
      'Add-ons of every cluster. A claim replaces one with an add-on of its name, or leaves it out with default: Skip. Clusters that existed before their Composition had defaults do not get them.',
    ),
  limits: z
    .strictObject({
      repositories: z
        .array(z.string().min(1).max(1024))
        .max(64)
        .optional()
        .describe(
          `How the chart repositories of claims may begin, such as oci://registry.example.com/charts/. provider-helm calls them: one on a host that means the platform itself, such as loopback, a metadata service or a Service of its cluster, has to be listed with its host; ${ANY} stands for all others. Default: all others.`,
        ),
    })
    .prefault({})
    .describe(
      'What claims may choose. A list without entries allows nothing. A choice outside is refused; what a cluster has stays when a limit comes later.',
    ),
});

export type AddOnsInput = z.output<typeof AddOnsInput>;
export type Default = z.output<typeof Default>;

/** How messages call this input. */
export const INPUT_NAME = inputName('AddOnsInput');
