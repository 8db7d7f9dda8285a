/** What every object has: apiVersion, kind and a name, and perhaps a namespace, each as text. */
import { SlipwayError } from '#lib/api/errors.ts';
import { at, isJsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { UsageError } from '../exit.ts';
import type { Broken } from './broken.ts';
import { ofOtherProject } from './other-projects.ts';
import { type Origin, type Place, placesText, placeText } from './place.ts';

const NAMESPACE: readonly string[] = ['metadata', 'namespace'];

/** What a value lacks that is to be an object; undefined: it is one. */
export function lackOf(value: unknown, { place, placeOf, sourceOf }: Origin): Broken | undefined {
  for (const path of [['apiVersion'], ['kind'], ['metadata', 'name'], NAMESPACE]) {
    const found = at(value, ...path);
    if (isJsonObject(value) && typeof found === 'string') continue;
    if (path === NAMESPACE && (found === undefined || found === null)) continue;
    // Configuration of programs has no name, such as that of kubeadm.
    if (found === undefined && path.length > 1 && ofOtherProject(value as KubeObject) !== undefined) continue;
    if (typeof found === 'number' || typeof found === 'boolean') {
      const field = placeOf(path);
      return { ...field, error: unquoted(value, path, sourceOf(path) ?? String(found), field) };
    }
    const problem = found === undefined || found === null ? 'is required' : `is ${JSON.stringify(found)}`;
    const error = new UsageError(
      `cannot use ${placeText(place)}: ${path.join('.')} ${problem}; accepted: Kubernetes objects, with ${path.join('.')} as text`,
    );
    return { ...place, error };
  }
  return undefined;
}

/**
 * YAML reads 007 as the number 7, and "007" as a text. Of a claim it is refused as every other field of it is.
 * @param found  as it is written
 */
function unquoted(value: unknown, path: readonly string[], found: string, place: Place): SlipwayError {
  const field = path.join('.');
  const said = `${field}: ${found} is not accepted; accepted: a string in quotes: ${path.at(-1) ?? field}: "${found}"`;
  const [kind, apiVersion] = [stringAt(value, 'kind'), stringAt(value, 'apiVersion')];
  const isOfClaim = path.length > 1 && apiVersion === API_VERSION && kind !== undefined;
  if (!isOfClaim) return new UsageError(`cannot use ${placeText(place)}: ${said}`);
  const [namespace, name] = ['namespace', 'name'].map((key) =>
    key === path.at(-1) ? found : stringAt(value, 'metadata', key),
  );
  const who = namespace === undefined ? name : `${namespace}/${name}`;
  return new SlipwayError('InvalidClaim', `cannot accept ${kind} "${who}": ${said}`, { hint: placesText([place]) });
}
