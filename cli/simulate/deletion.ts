/** A deletion while a simulation runs, and why it is refused, in words of its claims. */
import { SlipwayError } from '#lib/api/errors.ts';
import { API_VERSION } from '#lib/api/words.ts';
import type { Engine } from '#simulator/engine.ts';
import { UsageError } from '../exit.ts';
import { KINDS, type ObjectRef, refText } from '../object-ref.ts';
import { whyKept } from '../plan/deletion.ts';
import { duration } from '../terminal/table.ts';
import { notFound, placeOf } from './known.ts';

/** Like `kubectl delete`. Throws UsageError for an object that is not there, SlipwayError Unsupported for one in use. */
export function deleteObject(engine: Engine, wanted: ObjectRef): void {
  const { kind, namespace, name } = wanted;
  const all = engine.list({ apiVersion: API_VERSION, kind });
  const [found, ...others] = all.filter(
    ({ metadata }) => metadata?.name === name && (namespace === undefined || metadata.namespace === namespace),
  );
  if (found === undefined) throw notFound(wanted, all.map(placeOf));
  if (others.length > 0)
    throw new UsageError(
      `cannot delete ${refText(wanted)}: several have this name; accepted: ${[found, ...others].map((one) => `${kind}/${one.metadata?.namespace ?? ''}/${name}`).join(', ')}`,
    );
  const ref = { kind, name, namespace: found.metadata?.namespace ?? '' };
  try {
    engine.delete({ ...ref, apiVersion: API_VERSION });
  } catch (thrown) {
    const objects = KINDS.flatMap((one) => engine.list({ apiVersion: API_VERSION, kind: one }));
    const reason = whyKept({ objects }, found, []);
    if (reason === undefined || !(thrown instanceof SlipwayError)) throw thrown;
    throw new SlipwayError(thrown.code, `cannot delete ${refText(ref)} after ${duration(engine.seconds)}: ${reason}`, {
      cause: thrown,
      hint: `what kubectl would print: ${thrown.message.replace(/^cannot delete .*?": /, '')}`,
    });
  }
}
