/** Every place that has something for each minor version of Kubernetes, and what it has for one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minor } from 'semver';
import { at, type JsonObject, stringAt } from '#lib/api/json.ts';
import { minorFault, versionFault } from '#lib/cloud/minors.ts';
import { compositions, ROOT } from '../../cli/files/repository.ts';
import { READ_UNTIL } from '../../functions/bootstrap/removed-flags.ts';
import { BOOTSTRAPPER_TABLES, bootstrapperTraits } from '../../functions/bootstrap/traits.ts';

export interface Place {
  readonly name: string;
  /** @param minor such as 1.37 @param release  the patch release of it that is supported, or the newest */
  readonly has: (minor: string, release: string) => boolean;
}

export function places(): readonly Place[] {
  return [...labs(), ...images(), ...addOns(), ...bootstrappers(), FLAGS];
}

/** What the Go modules of the labs build: two minor versions, each in a module of its own. */
function labs(): readonly Place[] {
  const texts = ['kubernetes', 'kubernetes-before'].map((module) =>
    readFileSync(join(ROOT, 'test/e2e/binaries/go', module, 'go.mod'), 'utf8'),
  );
  const has = (_: string, release: string): boolean =>
    texts.some((text) => text.includes(`\nrequire k8s.io/kubernetes ${release}\n`));
  return [{ name: 'real nodes', has }];
}

function images(): readonly Place[] {
  return inputs('images').map(({ of, value }) => ({
    name: `images of ${of}`,
    has: (_, release) => Object.keys(value as JsonObject).some((image) => image.endsWith(`/${release}`)),
  }));
}

function addOns(): readonly Place[] {
  return inputs('defaults').flatMap(({ of, value }) =>
    (value as readonly JsonObject[]).map((one) => ({
      name: `${stringAt(one, 'name')} of ${of}`,
      has: (version: string) =>
        (at(one, 'versions') as readonly JsonObject[]).some((row) =>
          (at(row, 'kubernetes') as readonly string[]).includes(version),
        ),
    })),
  );
}

/** A field of the inputs of each Composition that has it, once if all of a flavour have the same. */
function inputs(field: string): readonly { readonly of: string; readonly value: unknown }[] {
  const found = compositions().flatMap((composition) => {
    const steps = at(composition.spec, 'pipeline') as readonly JsonObject[];
    const of = composition.metadata?.labels?.['slipway.dev/flavor'] ?? '';
    return steps.flatMap((step) => {
      const value = at(step, 'input', field);
      return value === undefined ? [] : [{ of, value, key: `${of} ${JSON.stringify(value)}` }];
    });
  });
  return [...new Map(found.map(({ key, ...rest }) => [key, rest])).values()];
}

function bootstrappers(): readonly Place[] {
  return Object.keys(BOOTSTRAPPER_TABLES).flatMap((name) => {
    const traits = bootstrapperTraits(name);
    const has = (_: string, release: string): boolean => versionFault(release, traits, name, {}) === undefined;
    const { releases } = traits;
    const own = Object.entries(releases?.minors ?? {}).map(([named, minors]) => ({
      name: `${releases!.of} ${named}`,
      has: (_: string, release: string) => minorFault(release, minors, named) === undefined,
    }));
    return own.length > 0 ? own : [{ name, has }];
  });
}

const FLAGS: Place = { name: 'flags that Kubernetes removed', has: (_, release) => minor(release) <= READ_UNTIL };
