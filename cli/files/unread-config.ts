/** An EnvironmentConfig of another name than Compositions ask for changes nothing, without a word of anybody. */
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import { INPUT_API_VERSION } from '#lib/api/words.ts';

/** A sentence for each EnvironmentConfig that no Composition reads. */
export function unreadConfigs(objects: readonly KubeObject[], compositions: readonly KubeObject[]): readonly string[] {
  const read = [...new Set(compositions.flatMap(namesIn))].toSorted();
  // A function of others may name it anywhere in its input.
  const texts = compositions
    .flatMap(stepsOf)
    .filter(isOfOthers)
    .map((step) => JSON.stringify(at(step, 'input') ?? {}));
  const isRead = (name: string): boolean =>
    read.includes(name) || texts.some((text) => text.includes(JSON.stringify(name)));
  const unread = objects.filter(({ kind, metadata }) => kind === 'EnvironmentConfig' && !isRead(metadata?.name ?? ''));
  const known = read.length === 0 ? 'Compositions read none' : `Compositions read ${read.join(', ')}`;
  return unread.map(
    (one) => `no Composition here reads ${describeObject(one)}; ${known}${didYouMean(one.metadata?.name, read)}`,
  );
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
