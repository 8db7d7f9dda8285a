/** Claims on a simulated flavour, once everything is Ready. */
import { at, type KubeObject } from '#lib/api/json.ts';
import type { Engine } from '#simulator/engine.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { installedEngine } from '../support/example.ts';
import { writtenBefore } from './portable.ts';

/** Credentials that claims may choose. */
export const OTHER = { kind: 'ProviderConfig', name: 'other-account' };

/** Everything that claims and what they compose have composed, once all are Ready; but for kinds of Slipway itself. */
export async function settled(flavour: string, claims: readonly KubeObject[]): Promise<readonly KubeObject[]> {
  const engine = installedEngine();
  engine.load(engine.list({ apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition' }).map(allowing));
  const { namespace } = claims[0]?.metadata ?? {};
  for (const object of writtenBefore(flavour))
    engine.apply({ ...object, metadata: { ...object.metadata, namespace } } as KubeObject);
  for (const claim of claims) engine.apply(claim);
  const { reached } = await engine.runUntil(() => allReady(engine), { limitSeconds: 3600 });
  const [warning] = engine.snapshot().warnings.slice(-1);
  if (!reached) throw new Error(`the claims do not become Ready on ${flavour}: ${warning?.message ?? ''}`);
  return composedIn(engine);
}

function allowing(composition: KubeObject): KubeObject {
  const steps = at(composition, 'spec', 'pipeline') as readonly { readonly input?: { readonly kind?: string } }[];
  const pipeline = steps.map((step) =>
    step.input?.kind === 'ClusterInput' ? { ...step, input: { ...step.input, providerConfigs: [OTHER] } } : step,
  );
  return { ...composition, spec: { ...composition.spec, pipeline } };
}

function composedIn(engine: Engine): readonly KubeObject[] {
  const refs = engine.snapshot().composites.flatMap(({ composed }) => composed);
  const objects = refs.flatMap((ref) => engine.get(ref) ?? []);
  const distinct = new Map(objects.map((object) => [object.metadata?.uid, object]));
  return [...distinct.values()].filter(({ apiVersion }) => !apiVersion.startsWith('slipway.dev/'));
}
