/** An EnvironmentConfig of another name or apiVersion than Compositions ask for changes nothing, without a word of anybody. */
import { show } from '#lib/api/issues.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import { INPUT_API_VERSION } from '#lib/api/words.ts';
import { ENVIRONMENT_CONFIG_KIND } from '#lib/cloud/environment-config.ts';

/** A sentence for each EnvironmentConfig that no Composition reads. */
export function unreadConfigs(objects: readonly KubeObject[], compositions: readonly KubeObject[]): readonly string[] {
  const read = [...new Set(compositions.flatMap(namesIn))].toSorted();
  // A function of others may name it anywhere in its input.
  const texts = compositions
    .flatMap(stepsOf)
    .filter(isOfOthers)
    .map((step) => JSON.stringify(at(step, 'input') ?? {}));
  const { apiVersion, kind } = ENVIRONMENT_CONFIG_KIND;
  const known = read.length === 0 ? 'Compositions read none' : `Compositions read ${read.join(', ')}`;
  const whyUnread = (one: KubeObject): string | undefined => {
    const name = one.metadata?.name ?? '';
    if (texts.some((text) => text.includes(JSON.stringify(name)))) return undefined;
    if (!read.includes(name)) return `; ${known}${didYouMean(name, read)}`;
    return one.apiVersion === apiVersion
      ? undefined
      : `: apiVersion: ${show(one.apiVersion)} is not accepted; accepted: ${apiVersion}`;
  };
  return objects
    .filter((one) => one.kind === kind)
    .flatMap((one) => {
      const why = whyUnread(one);
      return why === undefined ? [] : `no Composition here reads ${describeObject(one)}${why}`;
    });
}

function namesIn(composition: KubeObject): readonly string[] {
  return stepsOf(composition).flatMap((step) => stringAt(step, 'input', 'environmentConfig') ?? []);
}

function isOfOthers(step: unknown): boolean {
  return stringAt(step, 'input', 'apiVersion') !== INPUT_API_VERSION;
}

function stepsOf(composition: KubeObject): readonly unknown[] {
  const steps = at(composition, 'spec', 'pipeline');
  return Array.isArray(steps) ? steps : [];
}
