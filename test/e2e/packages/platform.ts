/** What a platform sets before it builds the package of the Compositions, as docs/install.md says. */
import { parseAllDocuments } from 'yaml';
import { at, isJsonObject, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { packageYaml, type PackageSource } from '../../../package/build/catalog.ts';
import { ROOT } from '../binaries/find.ts';
import { packed } from './providers.ts';

export interface Platform {
  /** In the input of the step of the Composition for Clusters: fields by the kind of that input. */
  readonly inputs: Readonly<Record<string, JsonObject>>;
}

/** The package with these inputs. It has no code, so that it is small and made at once. */
export function builtBy({ inputs }: Platform, source: PackageSource, release: string): Promise<Uint8Array> {
  const objects = parseAllDocuments(packageYaml(ROOT, source, release)).map((one) => one.toJS() as KubeObject);
  return packed(withInputs(objects, inputs));
}

/** Objects of the package with these inputs in the Composition for Clusters. */
export function withInputs(objects: readonly KubeObject[], inputs: Platform['inputs']): readonly KubeObject[] {
  return objects.map((object) => (isOfClusters(object) ? changed(object, inputs) : object));
}

function isOfClusters({ kind, spec }: KubeObject): boolean {
  return kind === 'Composition' && stringAt(spec, 'compositeTypeRef', 'kind') === 'Cluster';
}

function changed(composition: KubeObject, inputs: Platform['inputs']): KubeObject {
  const steps = at(composition, 'spec', 'pipeline');
  const pipeline = (Array.isArray(steps) ? steps : []).filter(isJsonObject).map((step) => {
    const more = inputs[stringAt(step, 'input', 'kind') ?? ''];
    return more === undefined ? step : { ...step, input: { ...(step['input'] as JsonObject), ...more } };
  });
  return { ...composition, spec: { ...composition.spec, pipeline } };
}
