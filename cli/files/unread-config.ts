/** An EnvironmentConfig of another name than Compositions ask for changes nothing, without a word of anybody. */
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { didYouMean } from '#lib/api/nearest.ts';

/** A sentence for each EnvironmentConfig that no Composition reads. */
export function unreadConfigs(objects: readonly KubeObject[], compositions: readonly KubeObject[]): readonly string[] {
  const read = [...new Set(compositions.flatMap(namesIn))].toSorted();
  // A function of others may name it anywhere in its input.
  const texts = compositions.map(({ spec }) => JSON.stringify(spec ?? {}));
  const isRead = (name: string): boolean => texts.some((text) => text.includes(JSON.stringify(name)));
  const unread = objects.filter(({ kind, metadata }) => kind === 'EnvironmentConfig' && !isRead(metadata?.name ?? ''));
  const known = read.length === 0 ? 'Compositions read none' : `Compositions read ${read.join(', ')}`;
  return unread.map(
    (one) => `no Composition here reads ${describeObject(one)}; ${known}${didYouMean(one.metadata?.name, read)}`,
  );
}

function namesIn(composition: KubeObject): readonly string[] {
  const steps = at(composition, 'spec', 'pipeline');
  return (Array.isArray(steps) ? steps : []).flatMap(
    (step: unknown) => stringAt(step, 'input', 'environmentConfig') ?? [],
  );
}
